"""TEX-MTH-OPS: an operator in a formula is another."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import SILENT_CHANGE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import math_of
from lattice_env.verifier.latex import commands
from lattice_env.verifier.selftests import Replacement

_PAIRS = (
    ("cup", "cap"),
    ("sin", "cos"),
    ("sum", "prod"),
    ("max", "min"),
    ("sup", "inf"),
    ("cdot", "times"),
    ("land", "lor"),
    ("bigcup", "bigcap"),
)
PARTNERS = {a: b for pair in _PAIRS for a, b in (pair, pair[::-1])} | {"arcsin": "arccos", "arctan": "arcsin"}


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every operator of the table in the formulas of the body."""
    for document in paper.tex:
        for match in commands(math_of(document), "|".join(PARTNERS)):
            yield Mutation((Replacement(document.path, match.start(1), match.end(1), PARTNERS[match[1]]),))


OPERATOR = Operator(
    code="TEX-MTH-OPS",
    family=SILENT_CHANGE,
    tier=2,
    category="C18 content / structure drift",
    summary="An operator in a formula is another.",
    sites=sites,
    example=Example(r"$\sum_i x_i$", r"$\prod_i x_i$", r"\cdot % $\sum$ \verb|$\sum$| $\cdots$"),
    changes=("pages",),
)
