"""LAT-CMD-ED1: a command is misspelt by one letter."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.command_names import misspelt
from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper

SHORTEST = 4
"""Letters of the shortest name that is still known when one is wrong."""


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every command of a body whose name is long enough; TeX must not know the typo."""
    return misspelt(paper, misspell)


def misspell(name: str) -> str:
    """The name with two letters exchanged, one typed twice, or one left out, by its length."""
    middle = len(name) // 2
    if len(name) < SHORTEST:
        return name
    if len(name) % 3 == 0 and name[middle - 1] != name[middle]:
        return name[: middle - 1] + name[middle] + name[middle - 1] + name[middle + 1 :]
    if len(name) % 3 == 1:
        return name[:middle] + name[middle] + name[middle:]
    return name[:middle] + name[middle + 1 :]


OPERATOR = Operator(
    code="LAT-CMD-ED1",
    family=BUILD_REPAIR,
    tier=1,
    category="C4 undefined control sequence",
    summary="A command is misspelt by one letter.",
    sites=sites,
    example=Example(
        r"$\alpha \le \beta$", r"$\alha \le \beta$", r"% \alpha \verb|\alpha| \newcommand{\x}{\alpha} \\alpha"
    ),
    diagnostic=r"^Undefined control sequence",
)
