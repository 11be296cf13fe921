"""Braces and brackets: one too many where TeX stopped, one missing where an argument runs on."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.verifier.latex import Document
from lattice_env.verifier.words import CITATIONS, REFERENCES

from .paragraphs import Stretch, blank_verbs
from .scene import Change, Scene, indentation

_KEYS = re.compile(
    rf"\\(?:label|{REFERENCES}|{CITATIONS}|input|include|includegraphics|pageref|bibliography|url)\*?\s*(?:\[[^\]]*\])*\s*$"
)
_HEADING = re.compile(
    r"\\(?:(?:sub)*section|chapter|paragraph|title|author|date|caption|section\*|subsection\*)\*?\s*(?:\[[^\]]*\])?\s*$"
)
_LONG = re.compile(r"\\(?:footnote|thanks|footnotetext)\s*$")
_ONE = re.compile(r"\\(?:mathcal|mathbb|mathbf|mathfrak|hat|bar|tilde|vec|dot|mathsf)\s*$")
_FONT = re.compile(
    r"\\(?:itshape|bfseries|ttfamily|scshape|sffamily|rmfamily|small|footnotesize|em|it|bf|tt|sl)(?![A-Za-z])"
)
_BLOCK = re.compile(r"\\(?:label|begin|end|centering|includegraphics|toprule|item|section|subsection|par)(?![A-Za-z])")


def extra_closing(scene: Scene) -> Iterator[Change]:
    """A closing brace that is there twice, where TeX stopped at it."""
    document, stop = scene.here, scene.stopped()
    if document is None or stop is None:
        return
    if document.text[stop - 2 : stop] == "}}" and not _is_open_before(document, stop - 1):
        yield Change(document.path, ((stop - 1, stop, ""),), "a closing brace is there twice")


def _is_open_before(document: Document, place: int) -> bool:
    """Whether a brace before `place`, in its paragraph, is open there."""
    start = max((found.end() for found in re.finditer(r"\n[ \t]*\n", document.code[:place])), default=0)
    code = blank_verbs(document.code)[start:place]
    depth = low = 0
    for letter in code:
        depth += (letter == "{") - (letter == "}")
        low = min(low, depth)
    return depth > 0


def missing_opening(scene: Scene) -> Iterator[Change]:
    """A closing brace that nothing opened: opened behind the script, or before the font switch, that it closes."""
    document, stop = scene.here, scene.stopped()
    if document is None or stop is None or document.text[stop - 1 : stop] != "}" or _is_open_before(document, stop - 1):
        return
    start = document.line_span(stop - 1)[0]
    before = document.code[start : stop - 1]
    scripts = [
        match.end()
        for match in re.finditer(r"[_^](?![{^_])", before)
        if re.fullmatch(r"[\w\\+\-*,=]+", before[match.end() :])
    ]
    fonts = [match.start() for match in _FONT.finditer(before)]
    heads = [
        match.end()
        for match in re.finditer(r"\\(?:emph|text(?:bf|it|tt|sc|sf)|mathrm|mathbf|texttt)(?![A-Za-z{])\s?", before)
    ]
    found = scripts or fonts or heads
    if len(found) == 1:
        at = start + found[0]
        yield Change(document.path, ((at, at, "{"),), "a closing brace that nothing opened")


def unclosed(scene: Scene) -> Iterator[Change]:
    """An opening brace that its paragraph never closes."""
    for document in scene.documents.values():
        for stretch in _blocks(document):
            place = _open_brace(document, stretch)
            if place is not None:
                yield from _closed(scene, document, place, stretch)


def _blocks(document: Document) -> Iterator[Stretch]:
    """The stretches between blank lines: an argument rarely goes on behind one."""
    code, position = document.code, 0
    for match in [*re.finditer(r"\n[ \t]*\n", code), None]:
        end = match.start() if match else len(code)
        if code[position:end].strip():
            yield Stretch(position, end)
        position = match.end() if match else end


def _open_brace(document: Document, stretch: Stretch) -> int | None:
    """The innermost brace that is open where the stretch ends, if its braces are one too many open."""
    open_: list[int] = []
    flat = blank_verbs(document.code)
    for match in re.compile(r"[{}]").finditer(flat, stretch.start, stretch.end):
        if match[0] == "{":
            open_.append(match.start())
        elif open_:
            open_.pop()
        else:
            return None
    return open_[0] if len(open_) == 1 else None


def _closed(scene: Scene, document: Document, place: int, stretch: Stretch) -> Iterator[Change]:
    text = document.text
    head = text[max(place - 80, 0) : place]
    if stray := _stray(text, place, head):
        yield stray_change(document, place, stray)
        return
    inner = re.compile(r"\{").search(blank_verbs(document.code), place + 1, stretch.end)
    if inner and _KEYS.search(head) and re.fullmatch(r"[\w:.-]*", text[place + 1 : inner.start()]):
        yield stray_change(document, inner.start(), "in the middle of a key")
        return
    end = _end_of_argument(scene, document, place, stretch, head)
    if end is not None:
        yield Change(document.path, ((end, end, "}"),), f"the argument {text[place : place + 20]!r} is never closed")


def stray_change(document: Document, place: int, why: str) -> Change:
    """The change that takes one brace away."""
    return Change(document.path, ((place, place + 1, ""),), f"an opening brace {why}")


def _stray(text: str, place: int, head: str) -> str:
    """Why an opening brace opens nothing; empty where it may open something."""
    if (
        re.search(r"[A-Za-z0-9,.;:)$]$", head)
        and not re.search(r"\\[A-Za-z@]+\*?$", head)
        and not re.search(r"[_^][A-Za-z0-9]?$", head)
    ):
        return "in the middle of a word"
    if (
        re.search(r"[ \n~]$", head)
        and not _FONT.match(text, place + 1)
        and not re.search(r"\\[A-Za-z]+\*?\s$|=\s$|[{(]\s*$", head)
    ):
        return "before a word of the text"
    return ""


def _end_of_argument(scene: Scene, document: Document, place: int, stretch: Stretch, head: str) -> int | None:
    text = document.text
    line_end = text.find("\n", place)
    line_end = len(text) if line_end < 0 else line_end
    if _KEYS.search(head):
        found = re.compile(r"[\w:.\-/+,]*[\w]").match(text, place + 1)
        return found.end() if found else None
    if _ONE.search(head):
        found = re.compile(r"\\[A-Za-z]+|[A-Za-z]").match(text, place + 1)
        return found.end() if found else None
    if known := _as_elsewhere(scene, text, place, head):
        return known
    if _HEADING.search(head) or _LONG.search(head):
        return _end_of_lines(document, place, stretch)
    return None


def _end_of_lines(document: Document, place: int, stretch: Stretch) -> int | None:
    """Where an argument of whole lines ends: before a block, a line that is less indented, or the paragraph's end."""
    lines = document.text.split("\n")
    number = document.line_of(place) - 1
    last = document.line_of(max(stretch.end - 1, place)) - 1
    follows = [line for line in lines[number + 1 : last + 1] if line.strip()]
    base = indentation(lines[number])
    indented = bool(follows) and indentation(follows[0]) > base
    end = number
    for index in range(number + 1, last + 1):
        line = lines[index]
        if not line.strip() or _BLOCK.match(line.strip()) or (indented and indentation(line) <= base):
            break
        if not indented:
            return None
        end = index
    start = sum(len(line) + 1 for line in lines[:end])
    return start + len(lines[end].rstrip())


def _as_elsewhere(scene: Scene, text: str, place: int, head: str) -> int | None:
    """Where the same argument of the same command ends elsewhere in the paper."""
    command = re.search(r"\\[A-Za-z@]+\s*$|[A-Za-z]?[_^]$", head)
    if not command:
        return None
    pattern = re.compile(rf"{re.escape(command[0])}\{{((?:[^{{}}\n]|\{{[^{{}}\n]*\}})+)\}}")
    bodies = {match[1] for match in pattern.finditer(scene.code) if text.startswith(match[1], place + 1)}
    bodies = {
        body for body in bodies if not re.match(r"[A-Za-z]", text[place + 1 + len(body) :]) or not body[-1].isalpha()
    }
    return place + 1 + len(max(bodies, key=len)) if bodies else None


def option_bracket(scene: Scene) -> Iterator[Change]:
    """An option in brackets that its line never closes."""
    for document in scene.documents.values():
        for match in re.finditer(r"\\(?:begin\{[A-Za-z]+\*?\}|[A-Za-z]+)\[([^\[\]{}\n]*?)(?=\n|\{)", document.code):
            after = document.code[match.end() : match.end() + 200]
            if "]" in after.split("\n")[0] or not match[1].strip():
                continue
            yield Change(document.path, ((match.end(), match.end(), "]"),), f"the option of {match[0]} is never closed")
