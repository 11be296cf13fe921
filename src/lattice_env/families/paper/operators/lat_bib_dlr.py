"""LAT-BIB-DLR: a formula in the bibliography has lost its last dollar."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.bibliography import slips
from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper


def sites(paper: Paper) -> Iterator[Mutation]:
    """The last dollar of every formula in a title of a cited entry."""
    return slips(paper, "title journal booktitle journaltitle publisher", r"(?<!\\)\$[^$]*[^$\\](\$)", "")


OPERATOR = Operator(
    code="LAT-BIB-DLR",
    family=BUILD_REPAIR,
    tier=1,
    category="C13 special characters / encoding",
    summary="A formula in the bibliography has lost its last dollar.",
    sites=sites,
    example=Example(
        "@book{k, title = {The {$M$}-Matrix}}",
        "@book{k, title = {The {$M}-Matrix}}",
        "@book{k, note = {$M$}, title = {Costs \\$1 or \\$}}",
        path="paper.bib",
    ),
    diagnostic=r"^Extra \}, or forgotten \$|^Missing \$ inserted",
)
