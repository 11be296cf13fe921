"""Whether two formulas print the same, told by their canonical MathML."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from lattice_env.verifier.answer import tokens, unwrap
from lattice_env.verifier.padding import pared

from .mathml import Node, parse
from .relaxed import relax

BOTH, ANSWER, TARGET, NEITHER = "both", "answer", "target", "neither"
MOST_PADDING = 4
"""Tokens that print nothing, beyond the target's, that an answer may have: two empty groups."""

_DISPLAY = re.compile(r"\\\[(.*)\\\]|\\\((.*)\\\)", re.DOTALL)


@dataclass(frozen=True)
class Equivalence:
    """What the comparison found."""

    parsed: str
    """Which of the two the converter knows: both, answer, target or neither."""
    equal: bool
    structure: bool
    """Whether both have the same elements in the same places, whatever is written in them."""

    def to_json(self) -> dict[str, str | bool]:
        """The findings as plain data."""
        return dict(vars(self))


def compare(answer: str, target: str) -> Equivalence:
    """How an answer's MathML compares with the target's; what does not parse is equal to nothing."""
    given, wanted = bare(answer), bare(target)
    one, other = canonical(given), canonical(wanted)
    if one is None or other is None:
        parsed = ANSWER if one else TARGET if other else NEITHER
        return Equivalence(parsed, equal=False, structure=False)
    honest = not is_padded(given, wanted)
    return Equivalence(BOTH, equal=honest and one == other, structure=honest and _shape(one) == _shape(other))


def is_padded(answer: str, target: str) -> bool:
    """Whether an answer has more that prints nothing than the target, and more than an honest one may have."""
    return _padding(answer) > _padding(target) + MOST_PADDING


def bare(latex: str) -> str:
    """A formula without fence, dollars, or the brackets of a display that stand around all of it."""
    inside = unwrap(latex)
    display = _DISPLAY.fullmatch(inside)
    return (display[1] or display[2] or "") if display else inside


@functools.lru_cache(maxsize=4096)
def canonical(latex: str) -> Node | None:
    """The canonical tree of a formula, or None where the converter does not know it."""
    tree = parse(latex)
    return tree and relax(tree)


def _padding(latex: str) -> int:
    return len(tokens(latex)) - len(pared(latex))


def _shape(tree: Node) -> tuple[object, ...]:
    return (tree.tag, *(_shape(child) for child in tree.children))
