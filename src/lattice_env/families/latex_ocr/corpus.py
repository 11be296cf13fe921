"""The built-in corpus: formulas of the grammar and of the papers, in splits that share no normal form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lattice_env.keys import Choices
from lattice_env.seeds import load_seeds

from .grammar import make_formula
from .normal import normal_form, share
from .papers import displayed_formulas

TRAIN, TEST = "train", "test"
TEST_SHARE = 0.2
"""How much of all normal forms belongs to `test`, whatever corpus they are met in."""
FONTS = ("cm", "times", "palatino")
SIZES = (10, 12, 14, 17)
"""Points."""
LONGEST = 220
"""Characters of the longest formula of the grammar that is kept: longer ones make pictures that models do not take."""


@dataclass(frozen=True)
class Formula:
    """One formula as it is to be printed."""

    latex: str
    origin: str
    """`grammar`, or the seed paper it stands in."""
    font: str
    size: int

    @property
    def split(self) -> str:
        """The split that its normal form belongs to."""
        return TEST if share(self.latex) < TEST_SHARE else TRAIN


def make_corpus(count: int, seed: int = 0) -> list[Formula]:
    """`count` formulas, the papers' first; no two have one normal form; the same arguments give the same ones."""
    known: set[str] = set()
    found: list[Formula] = []
    for origin, latex in _candidates(seed):
        if len(found) == count:
            break
        normal = normal_form(latex)
        if normal not in known:
            known.add(normal)
            found.append(_styled(latex, origin, seed))
    return found


def _candidates(seed: int) -> Iterator[tuple[str, str]]:
    for paper in load_seeds():
        for latex in displayed_formulas(paper):
            yield paper.name, latex
    index = 0
    while True:
        latex = make_formula(seed, index)
        index += 1
        if len(latex) <= LONGEST:
            yield "grammar", latex


def _styled(latex: str, origin: str, seed: int) -> Formula:
    choices = Choices("latex-ocr", "style", str(seed), latex)
    return Formula(latex, origin, choices.choice(FONTS), choices.choice(SIZES))
