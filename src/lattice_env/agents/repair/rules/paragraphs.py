"""Stretches of source that must be whole in themselves: paragraphs, displays, formulas, groups."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lattice_env.verifier.latex import Document

DISPLAYS = "equation|align|gather|multline|flalign|eqnarray|displaymath|math"
_DISPLAY = re.compile(rf"\\begin\{{((?:{DISPLAYS}|alignat)\*?)\}}")
_BREAK = re.compile(
    r"\n[ \t]*\n|\\(?:begin|end)\s*\{(?:document|abstract|figure|table|tabular|itemize|enumerate|description|algorithm"
    r"|center|proof|theorem|lemma|proposition|definition|corollary|remark|example)\*?\}|\\(?:sub)*section(?![A-Za-z@])|\\item(?![A-Za-z@])"
)
MATH_WORD = r"\\[A-Za-z]+|\\[,;:! {}|]"


@dataclass(frozen=True)
class Stretch:
    """From and to, and the name of the environment where it is one."""

    start: int
    end: int
    name: str = ""


def blank_verbs(code: str) -> str:
    """`code` with escaped characters blanked, so that a `$` or a brace is one; every offset stays."""
    return re.sub(r"\\[^A-Za-z\n]", "  ", code)


def displays(document: Document) -> Iterator[Stretch]:
    """The bodies of all displayed environments of mathematics."""
    for match in _DISPLAY.finditer(document.code):
        end = document.code.find(rf"\end{{{match[1]}}}", match.end())
        if end >= 0:
            yield Stretch(match.end(), end, match[1])


def paragraphs(document: Document) -> Iterator[Stretch]:
    """The stretches between blank lines, items, headings and blocks, displays blanked by nobody."""
    position = document.body_start
    for match in _BREAK.finditer(document.code, position):
        if document.code[position : match.start()].strip():
            yield Stretch(position, match.start())
        position = match.end()
    if document.code[position:].strip():
        yield Stretch(position, len(document.code))


def without_displays(document: Document, stretch: Stretch) -> str:
    """The code of a stretch with its displays blanked."""
    code = blank_verbs(document.code)
    for display in displays(document):
        if stretch.start <= display.start < stretch.end:
            body = re.sub(r"[^\n]", " ", code[display.start : display.end])
            code = code[: display.start] + body + code[display.end :]
    return code[stretch.start : stretch.end]
