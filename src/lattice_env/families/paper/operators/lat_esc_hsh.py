"""LAT-ESC-HSH: a number sign is not escaped."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import text_of, unescaped


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every escaped number sign of running text."""
    for document in paper.tex:
        yield from unescaped(document, text_of(document), "#")


OPERATOR = Operator(
    code="LAT-ESC-HSH",
    family=BUILD_REPAIR,
    tier=1,
    category="C13 special characters / encoding",
    summary="A number sign is not escaped.",
    sites=sites,
    example=Example(r"run \#3", r"run #3", r"% \# \verb|\#| \url{a\#b} \newcommand{\x}{\#}"),
    diagnostic=r"^You can't use `macro parameter character #'|^Illegal parameter number in definition",
)
