"""LAT-BIB-AMP: a title or a name in the bibliography has a bare ampersand."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.bibliography import slips
from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every `and`, and every escaped ampersand, in a title, a journal or a publisher of a cited entry."""
    return slips(paper, "title journal booktitle journaltitle publisher", r"(?:(?<=\s)(?=and\s)|(?=\\&))(and|\\&)", "&")


OPERATOR = Operator(
    code="LAT-BIB-AMP",
    family=BUILD_REPAIR,
    tier=1,
    category="C13 special characters / encoding",
    summary="A title or a name in the bibliography has a bare ampersand.",
    sites=sites,
    example=Example(
        "@book{k, title = {Bread and Butter}}",
        "@book{k, title = {Bread & Butter}}",
        "@book{k, author = {A and B}, title = {Andy sand}}",
        path="paper.bib",
    ),
    diagnostic=r"^Misplaced alignment tab character &",
)
