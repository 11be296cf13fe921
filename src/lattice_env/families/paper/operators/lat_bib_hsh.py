"""LAT-BIB-HSH: a number in the bibliography has a bare number sign."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.bibliography import slips
from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every number of an issue of a cited entry."""
    return slips(paper, "number", r"(?<=\{)()(?=\d+$)", "#")


OPERATOR = Operator(
    code="LAT-BIB-HSH",
    family=BUILD_REPAIR,
    tier=1,
    category="C13 special characters / encoding",
    summary="A number in the bibliography has a bare number sign.",
    sites=sites,
    example=Example(
        "@book{k, number = {7}}", "@book{k, number = {#7}}", "@book{k, volume = {7}, number = {{#}7}}", path="paper.bib"
    ),
    diagnostic=r"^You can't use `macro parameter character #'|^Illegal parameter number in definition",
)
