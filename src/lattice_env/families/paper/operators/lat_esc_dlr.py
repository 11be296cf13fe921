"""LAT-ESC-DLR: a dollar sign is not escaped."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import text_of, unescaped


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every escaped dollar of running text."""
    for document in paper.tex:
        yield from unescaped(document, text_of(document), "$")


OPERATOR = Operator(
    code="LAT-ESC-DLR",
    family=BUILD_REPAIR,
    tier=1,
    category="C13 special characters / encoding",
    summary="A dollar sign is not escaped.",
    sites=sites,
    example=Example(r"about \$40", r"about $40", r"% \$ \verb|\$| $a$ \newcommand{\x}{\$}"),
    diagnostic=r"^Missing \$ inserted|^Extra \}, or forgotten \$",
)
