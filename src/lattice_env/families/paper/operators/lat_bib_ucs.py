"""LAT-BIB-UCS: a range of pages in the bibliography has a minus sign of Unicode."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.bibliography import slips
from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every dash in the pages of a cited entry."""
    return slips(paper, "pages", r"(?<=\d)(--?)(?=\d)", "\N{MINUS SIGN}")


OPERATOR = Operator(
    code="LAT-BIB-UCS",
    family=BUILD_REPAIR,
    tier=2,
    category="C13 special characters / encoding",
    summary="A range of pages in the bibliography has a minus sign of Unicode.",
    sites=sites,
    example=Example(
        "@book{k, pages = {1--26}}",
        "@book{k, pages = {1\N{MINUS SIGN}26}}",
        "@book{k, title = {1--26}, pages = {7}}",
        path="paper.bib",
    ),
    diagnostic=r"^LaTeX Error: Unicode character",
)
