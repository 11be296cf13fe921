"""TEX-MTH-DLR: the dollar that closes a formula is missing."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body, formulas
from lattice_env.verifier.selftests import Replacement


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every formula between dollars in the body."""
    for document in paper.tex:
        for _, end in formulas(body(document)):
            yield Mutation((Replacement(document.path, end - 1, end, ""),))


OPERATOR = Operator(
    code="TEX-MTH-DLR",
    family=BUILD_REPAIR,
    tier=1,
    category="C3 math mode delimiters",
    summary="The dollar that closes a formula is missing.",
    sites=sites,
    example=Example(r"Let $x$ be real.", r"Let $x be real.", r"It costs \$4 to \$5. % $x$ \verb|$y$|"),
    diagnostic=(
        r"^Missing \$ inserted|^Extra \}, or forgotten \$|Bad math environment delimiter"
        r"|invalid in math mode|allowed only in (?:math|paragraph) mode|^You can't use `\\spacefactor'"
    ),
)
