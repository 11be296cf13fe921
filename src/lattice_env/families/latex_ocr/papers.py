"""Every displayed formula of the seed papers, with the papers' own commands written out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lattice_env.families.paper.mathematics import Display, displays
from lattice_env.families.paper.places import body
from lattice_env.model import PaperSeed
from lattice_env.verifier.latex import Document, decode, group_end

BLOCKS = {"align": "aligned", "flalign": "aligned", "gather": "gathered", "multline": "gathered", "eqnarray": "aligned"}
"""Displays of several lines, and what they are inside a formula."""
MOST_ROUNDS = 8
"""How deep a paper's own commands may stand in each other."""

_DEFINITION = re.compile(
    r"\\(?:re)?newcommand\*?\s*\{?\\(?P<name>[A-Za-z]+)\}?\s*(?:\[(?P<count>\d)\])?\s*(?=\{)"
    r"|\\DeclareMathOperator\*?\s*\{?\\(?P<operator>[A-Za-z]+)\}?\s*(?=\{)"
)
_LABEL = re.compile(r"\\label\s*\{[^{}]*\}|\\(?:nonumber|notag)(?![A-Za-z])")
_ENSURE = re.compile(r"\\ensuremath\s*(?=\{)")
_BLANK = re.compile(r"\s*")
_OUTSIDE = re.compile(r"\\(?:ref|eqref|cref|cite|tag|intertext)(?![A-Za-z])")
"""What a formula cannot take along."""
_END = re.compile(r"(?:\s|\\[,;]|[.,;])+\Z")


@dataclass(frozen=True)
class Command:
    """A command of a paper: how many arguments it takes, and what it stands for."""

    arguments: int
    text: str


def displayed_formulas(seed: PaperSeed) -> Iterator[str]:
    """The displayed formulas of a paper in the order of its files; each stands on its own."""
    documents = [Document(path, decode(seed.files[path])) for path in sorted(seed.files) if path.endswith(".tex")]
    commands = {name: command for document in documents for name, command in _definitions(document.code)}
    for document in documents:
        code = body(document)
        for display in displays(code):
            latex = _formula(code, display, commands)
            if not _OUTSIDE.search(latex):
                yield latex


def _definitions(code: str) -> Iterator[tuple[str, Command]]:
    for match in _DEFINITION.finditer(code):
        text = _braced(code, match.end())
        if match["operator"]:
            yield match["operator"], Command(0, rf"\operatorname{{{text}}}")
        else:
            ensured = _ENSURE.match(text)
            inside = _braced(text, ensured.end()) if ensured else text
            yield match["name"], Command(int(match["count"] or 0), inside)


def _braced(text: str, start: int) -> str:
    """What stands in the braces that open at `start`; nothing where they never close."""
    end = group_end(text, start)
    return text[start + 1 : end - 1] if end else ""


def _formula(code: str, display: Display, commands: Mapping[str, Command]) -> str:
    inside = _END.sub("", _LABEL.sub("", code[display.body : display.body_end]))
    block = BLOCKS.get(display.name.rstrip("*"))
    text = " ".join(write_out(inside, commands).split())
    return rf"\begin{{{block}}} {text} \end{{{block}}}" if block else text


def write_out(text: str, commands: Mapping[str, Command]) -> str:
    """`text` with the commands replaced by what they stand for, in as many rounds as they are nested."""
    for _ in range(MOST_ROUNDS):
        before = text
        for name, command in commands.items():
            text = _replaced(text, name, command)
        if text == before:
            break
    return text


def _replaced(text: str, name: str, command: Command) -> str:
    position, pattern = 0, re.compile(rf"\\{name}(?![A-Za-z])")
    while match := pattern.search(text, position):
        end, given = match.end(), [""]
        for _ in range(command.arguments):
            end = _BLANK.match(text, end).end()  # pyright: ignore[reportOptionalMemberAccess] - it matches nothing too
            behind = group_end(text, end) if text.startswith("{", end) else end + 1
            given.append(text[end:behind].removeprefix("{").removesuffix("}"))
            end = behind or end + 1
        new = re.sub(r"#(\d)", lambda found: given[int(found[1])], command.text)  # noqa: B023 - called at once
        # A script binds to the whole of it, and a letter behind it must not lengthen its last word.
        bound = text[max(0, match.start() - 1) : match.start()] in ("_", "^") or text[end : end + 1] in ("_", "^")
        new = f"{{{new}}}" if bound else new + " " * text[end : end + 1].isalpha()
        text = text[: match.start()] + new + text[end:]
        position = match.start() + len(new)
    return text
