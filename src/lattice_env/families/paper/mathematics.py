"""Mathematics as it stands in the sources: displays, fences, and what is on the top level of a formula."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lattice_env.verifier.latex import environments

from .places import formulas

NAMES = ("equation", "align", "gather", "multline", "eqnarray", "flalign", "alignat", "displaymath")
SINGLE = ("equation", "equation*", "displaymath", "[")
"""Displays of one formula and no alignment; `[` is what stands between `\\[` and `\\]`."""

_BRACKET = re.compile(r"\\.", re.DOTALL)
_TOKEN = re.compile(r"\\(?P<side>begin|end)\s*\{[^{}]*\}|\\[A-Za-z@]+\*?|\\.|.", re.DOTALL)
_LEAD = re.compile(r"(?:\s|\\label\s*\{[^{}]*\})*")
_TRAIL = re.compile(r"(?:\s|\\label\s*\{[^{}]*\}|\\(?:nonumber|notag)(?![A-Za-z@])|\\[,;]|[.,;])*\Z")
_FENCE = re.compile(r"\\(?P<side>left|right)(?![A-Za-z@])")


@dataclass(frozen=True)
class Display:
    """A display: the name of its environment, `[` for `\\[…\\]`, and its offsets as those of an environment."""

    name: str
    begin: int
    body: int
    body_end: int
    end: int


def displays(code: str) -> list[Display]:
    """Every display, in order."""
    found = (e for e in environments(code) if e.name.rstrip("*") in NAMES)
    named = (Display(e.name, e.begin, e.body, e.body_end, e.end) for e in found)
    return sorted([*named, *_between(code, "[", "]")], key=lambda display: display.begin)


def parentheses(code: str) -> Iterator[Display]:
    """Every `\\(…\\)`, in order."""
    return _between(code, "(", ")")


def _between(code: str, opener: str, closer: str) -> Iterator[Display]:
    start: int | None = None
    for match in _BRACKET.finditer(code):
        if match[0][1] == opener:
            start = match.start()
        elif match[0][1] == closer and start is not None:
            yield Display(opener, start, start + 2, match.start(), match.end())
            start = None


def mathematics(code: str) -> list[tuple[int, int]]:
    """From and to of everything that TeX reads in math mode, in order."""
    shown = [*displays(code), *parentheses(code)]
    return sorted([*formulas(code), *((display.body, display.body_end) for display in shown)])


def core(code: str, display: Display) -> tuple[int, int]:
    """From and to of the formula itself: labels, white space and the punctuation behind it left out."""
    lead = _LEAD.match(code, display.body, display.body_end)
    start = lead.end() if lead else display.body
    trail = _TRAIL.search(code, start, display.body_end)
    return start, trail.start() if trail else display.body_end


def outermost(code: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """Every token between two offsets that is in no braces and in no inner environment, white space too."""
    depth = 0
    for match in _TOKEN.finditer(code, start, end):
        depth -= match[0] == "}" or match["side"] == "end"
        if depth == 0 and not match["side"] and match[0] not in "{}":
            yield match
        depth += match[0] == "{" or match["side"] == "begin"


def fences(code: str) -> list[tuple[int, int]]:
    """Where each `\\left` and its `\\right` stand, in the order of the `\\left`."""
    found: set[tuple[int, int]] = set()
    for start, end in mathematics(code):
        open_: list[int] = []
        for match in _FENCE.finditer(code, start, end):
            if match["side"] == "left":
                open_.append(match.start())
            elif open_:
                found.add((open_.pop(), match.start()))
    return sorted(found)
