"""LAT-BIB-UND: a word in the bibliography has an underscore for its hyphen."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.bibliography import slips
from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every hyphen between two letters in a title or a journal of a cited entry."""
    return slips(
        paper, "title journal booktitle journaltitle publisher", r"(?<=[a-z])(-)(?=[A-Za-z])|(?=\\_)(\\_)", "_"
    )


OPERATOR = Operator(
    code="LAT-BIB-UND",
    family=BUILD_REPAIR,
    tier=1,
    category="C13 special characters / encoding",
    summary="A word in the bibliography has an underscore for its hyphen.",
    sites=sites,
    example=Example(
        "@book{k, title = {Short-Term Debt}}",
        "@book{k, title = {Short_Term Debt}}",
        "@book{k, pages = {1--2}, key = {a-b}, title = {3-D -- {A}-B}}",
        path="paper.bib",
    ),
    diagnostic=r"^Missing \$ inserted",
)
