"""Subscripts and superscripts of formulas: where they stand and which of them share an atom."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lattice_env.verifier.latex import group_end

_MARK = re.compile(r"\\.|[_^]", re.DOTALL)
_SIMPLE = re.compile(r"\s*(?:[A-Za-z0-9*+-]|\\[A-Za-z]+(?!\s*[\[{A-Za-z]))")


@dataclass(frozen=True)
class Script:
    """One script: `_` or `^`, where that stands, and the offset behind what it raises or lowers."""

    kind: str
    start: int
    end: int


def scripts(code: str, start: int, end: int) -> Iterator[Script]:
    """Every script between two offsets, those inside of others too, in order."""
    for match in _MARK.finditer(code, start, end):
        if match[0] in "_^" and (stop := _end(code, match.end())) and stop <= end:
            yield Script(match[0], match.start(), stop)


def partner(code: str, script: Script) -> Script | None:
    """The script of the other kind that follows at once, on the same atom; None where there is none."""
    second = len(code) - len(code[script.end :].lstrip())
    stop = _end(code, second + 1)
    other = code[second : second + 1] in ("_", "^") and code[second] != script.kind
    return Script(code[second], second, stop) if other and stop else None


def _end(code: str, position: int) -> int | None:
    """The offset behind the script at `position`: a group, a character or a symbol."""
    if code.startswith("{", position):
        return group_end(code, position)
    simple = _SIMPLE.match(code, position)
    return simple.end() if simple else None
