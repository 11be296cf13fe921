"""LAT-MTH-RGT: a `\\right` has lost its `\\left`."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.mathematics import fences
from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.verifier.selftests import Replacement


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every `\\left`; its delimiter stays."""
    for document in paper.tex:
        for left, _ in fences(body(document)):
            yield Mutation((Replacement(document.path, left, left + len(r"\left"), ""),))


OPERATOR = Operator(
    code="LAT-MTH-RGT",
    family=BUILD_REPAIR,
    tier=2,
    category="C3 math mode delimiters",
    summary="A `\\right` has lost its `\\left`.",
    sites=sites,
    example=Example(
        r"$\left( a \right)$",
        r"$( a \right)$",
        "% $\\left( a \\right)$\n$a \\leftarrow b$ \\newcommand{\\x}{$\\left( a \\right)$}",
    ),
    diagnostic=r"^Missing (?:\}|\\endgroup) inserted|^Extra \\(?:right|middle)",
)
