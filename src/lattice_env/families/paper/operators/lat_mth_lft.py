"""LAT-MTH-LFT: a `\\left` has lost its `\\right`."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.mathematics import fences
from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.verifier.selftests import Replacement


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every `\\right`; its delimiter stays."""
    for document in paper.tex:
        for _, right in fences(body(document)):
            yield Mutation((Replacement(document.path, right, right + len(r"\right"), ""),))


OPERATOR = Operator(
    code="LAT-MTH-LFT",
    family=BUILD_REPAIR,
    tier=2,
    category="C3 math mode delimiters",
    summary="A `\\left` has lost its `\\right`.",
    sites=sites,
    example=Example(
        r"$\left( a \right)$",
        r"$\left( a )$",
        "% $\\left( a \\right)$\n$a \\leftarrow b$ \\newcommand{\\x}{$\\left( a \\right)$}",
    ),
    diagnostic=r"^Extra \}, or forgotten \\right|^Missing \\right|^You can't use `\\eqno' in math mode",
)
