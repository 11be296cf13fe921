"""LAT-MTH-PAR: a `\\(` has lost its `\\)`."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.mathematics import parentheses
from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.verifier.selftests import Replacement


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every `\\)`."""
    for document in paper.tex:
        for formula in parentheses(body(document)):
            yield Mutation((Replacement(document.path, formula.body_end, formula.end, ""),))


OPERATOR = Operator(
    code="LAT-MTH-PAR",
    family=BUILD_REPAIR,
    tier=1,
    category="C3 math mode delimiters",
    summary="A `\\(` has lost its `\\)`.",
    sites=sites,
    example=Example(r"Let \(x\) be real.", r"Let \(x be real.", r"Let $x$ be real. % \(x\) \verb|\(y\)|"),
    diagnostic=(
        r"^Missing \$ inserted|^Extra \}, or forgotten \$|Bad math environment delimiter"
        r"|invalid in math mode|allowed only in (?:math|paragraph) mode|^You can't use `\\spacefactor'"
    ),
)
