"""LAT-DIM-CMA: the width of a figure has a decimal comma."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.lengths import shares
from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.verifier.selftests import Replacement


def sites(paper: Paper) -> Iterator[Mutation]:
    """The decimal point of every share of a width among the options of a figure."""
    for document in paper.tex:
        for match in shares(document):
            point = match.start("share") - 1
            yield Mutation((Replacement(document.path, point, point + 1, ","),))


OPERATOR = Operator(
    code="LAT-DIM-CMA",
    family=BUILD_REPAIR,
    tier=1,
    category="C15 dimension / counter",
    summary="The width of a figure has a decimal comma.",
    sites=sites,
    example=Example(
        r"\includegraphics[width=0.75\linewidth]{a}",
        r"\includegraphics[width=0,75\linewidth]{a}",
        r"% \includegraphics[width=0.75\linewidth]{a} \begin{minipage}{0.5\linewidth}",
    ),
    diagnostic=r"^Missing \\endcsname inserted|^Package keyval Error",
)
