"""Delimiters, limits and scripts of formulas."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.verifier.latex import Document

from .paragraphs import Stretch, blank_verbs, displays
from .scene import Change, Scene

_MIRROR = {
    ")": "(",
    "]": "[",
    r"\}": r"\{",
    r"\rangle": r"\langle",
    r"\rvert": r"\lvert",
    r"\rVert": r"\lVert",
    "|": "|",
    r"\rceil": r"\lceil",
    r"\rfloor": r"\lfloor",
    r"\|": r"\|",
}
_DELIMITER = r"\\[{}|]|\\[lr](?:angle|vert|Vert|ceil|floor|brace)|[()\[\]|.]"
_SUPERSCRIPT = re.compile(r"\{?(?:T|\\top|\\ast|\*|\\prime|\\dagger|2|3|-1|\(\w+\))\}?$")


def left_right(scene: Scene) -> Iterator[Change]:
    """A `\\left` without its `\\right`, the reverse, or either without its delimiter."""
    document = scene.here
    if document is None:
        return
    low = scene.line_start(document, max(scene.failure.line - 12, 1))
    high = scene.line_start(document, scene.failure.line + 2)
    code = document.code
    bare = re.compile(rf"\\left(?![A-Za-z])\s*(?!{_DELIMITER})").search(code, low, high)
    if bare:
        right = re.compile(rf"\\right\s*({_DELIMITER})").search(code, bare.end())
        if right and right[1] in _MIRROR:
            at = bare.start() + len("\\left")
            yield Change(document.path, ((at, at, _MIRROR[right[1]]),), "\\left has no delimiter")
        return
    for body in _formulas(document, low, high):
        yield from _unpaired(document, body)


def _formulas(document: Document, low: int, high: int) -> Iterator[Stretch]:
    yield from (body for body in displays(document) if body.start < high and body.end > low)
    flat = blank_verbs(document.code)
    for match in re.compile(r"\$([^$]+)\$").finditer(flat, low, high):
        yield Stretch(match.start(1), match.end(1))
    for match in re.compile(r"(?<!\\)\\\[(.*?)\\\]", re.DOTALL).finditer(document.code, low, high):
        yield Stretch(match.start(1), match.end(1))


def _unpaired(document: Document, body: Stretch) -> Iterator[Change]:
    code = document.code
    marks = list(re.compile(rf"\\(left|right)(?![A-Za-z])\s*({_DELIMITER})").finditer(code, body.start, body.end))
    open_: list[re.Match[str]] = []
    for mark in marks:
        if mark[1] == "left":
            open_.append(mark)
        elif open_:
            open_.pop()
        elif mark[2] in _MIRROR:
            at = _partner(code, mark.start(), body.start, mark[2], step=-1)
            if at is not None:
                yield Change(document.path, ((at, at, "\\left"),), f"\\right{mark[2]} has no \\left")
            return
    for mark in open_[:1]:
        closer = next((right for right, left in _MIRROR.items() if left == mark[2]), "")
        at = _partner(code, mark.end(), body.end, closer, step=1) if closer else None
        if at is not None:
            yield Change(document.path, ((at, at, "\\right"),), f"\\left{mark[2]} has no \\right")


def _partner(code: str, start: int, limit: int, closer: str, *, step: int) -> int | None:
    """Where the bare delimiter stands that pairs with the one at `start`."""
    opener = _MIRROR[closer]
    same, other = (opener, closer) if step > 0 else (closer, opener)
    depth = 0
    stretch = range(start, limit) if step > 0 else range(start - 1, limit - 1, -1)
    for at in stretch:
        if re.search(r"\\(?:left|right|[bB]igg?[lr]?)\s*$", code[max(at - 8, 0) : at]):
            continue
        if code.startswith(other, at):
            if depth == 0:
                return at
            depth -= 1
        elif code.startswith(same, at):
            depth += 1
    return None


def limits(scene: Scene) -> Iterator[Change]:
    """`\\limits` behind what takes none."""
    stop = scene.stopped()
    if scene.here and stop and "Limit controls" in scene.failure.message:
        start = scene.here.text.rfind("\\limits", 0, stop)
        if start >= 0 and start + len("\\limits") == stop:
            yield Change(scene.here.path, ((start, stop, ""),), "\\limits has no operator before it")


def double_script(scene: Scene) -> Iterator[Change]:
    """Two scripts of one kind on one symbol: the paper's other formulas tell which of them is the other kind."""
    document = scene.here
    if document is None or "Double" not in scene.failure.message:
        return
    mark = "^" if "superscript" in scene.failure.message else "_"
    other = "_" if mark == "^" else "^"
    script = r"(?:\{(?:[^{}]|\{[^{}]*\})*\}|\\[A-Za-z]+|[A-Za-z0-9*])"
    pattern = re.compile(
        rf"(?P<base>\\[A-Za-z]+(?:\{{[^{{}}]*\}})?|[A-Za-z])(?P<a>{re.escape(mark)}{script})(?P<b>{re.escape(mark)}{script})"
    )
    low = scene.line_start(document, max(scene.failure.line - 8, 1))
    high = scene.line_start(document, scene.failure.line + 1)
    for match in pattern.finditer(document.code, low, high):
        first, second = match["a"][1:], match["b"][1:]
        base = match["base"]
        votes = {
            "a": _votes(scene, base, other + first, mark + second),
            "b": _votes(scene, base, mark + first, other + second),
        }
        votes["a"] += _habit(other, first) + _habit(mark, second)
        votes["b"] += _habit(mark, first) + _habit(other, second)
        if votes["a"] != votes["b"]:
            at = match.start(max(votes, key=lambda name: votes[name]))
            yield Change(document.path, ((at, at + 1, other),), f"{match[0]} has two scripts of one kind")
        return


def _votes(scene: Scene, base: str, one: str, two: str) -> int:
    """How often the paper writes this symbol with these scripts, alone or together."""
    return sum(5 * (scene.code.count(f"{base}{script}") > 0) for script in (one, two)) + 9 * (
        f"{base}{one}{two}" in scene.code
    )


def _habit(kind: str, script: str) -> int:
    """What scripts look like: what counts from `i = 1` stands below, powers and transposes above."""
    if kind == "_":
        return 4 * ("=" in script or "\\in" in script) - 3 * bool(_SUPERSCRIPT.match(script))
    return (
        3 * bool(_SUPERSCRIPT.match(script))
        + (len(script.strip("{}")) == 1 and script.strip("{}") in "nmNMKTL")
        - 4 * ("=" in script)
    )
