"""LAT-CMD-CAS: a command has a letter in the wrong case."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.command_names import misspelt
from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper

SHORTEST = 3
"""Letters of the shortest name that is taken; short ones mean something else in the other case."""


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every command of a body that TeX does not know in the wrong case."""
    return misspelt(paper, recase)


def recase(name: str) -> str:
    """The name with a capital in front, or, where it has capitals, with none behind the first letter."""
    if len(name) < SHORTEST:
        return name
    return name[0].upper() + name[1:] if name.islower() else name[0] + name[1:].lower()


OPERATOR = Operator(
    code="LAT-CMD-CAS",
    family=BUILD_REPAIR,
    tier=1,
    category="C4 undefined control sequence",
    summary="A command has a letter in the wrong case.",
    sites=sites,
    example=Example(
        r"\section{A} $\delta \le \Delta$ \LaTeX",
        r"\Section{A} $\delta \le \Delta$ \LaTeX",
        r"% \section \verb|\emph| $\delta$",
    ),
    diagnostic=r"^Undefined control sequence",
)
