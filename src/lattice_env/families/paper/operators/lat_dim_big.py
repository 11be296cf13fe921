"""LAT-DIM-BIG: the width of a figure has lost its decimal point."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.lengths import shares
from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.verifier.selftests import Replacement

LEAST = {"columnwidth": 67, "linewidth": 67, "textwidth": 48}
"""From how many such widths on TeX calls a length too large, in a narrow column and on a narrow page."""


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every share of a width of which, without its point, TeX says that it is too large."""
    for document in paper.tex:
        for match in shares(document):
            if int(match["share"]) >= LEAST[match["of"]]:
                edit = Replacement(document.path, match.start("number"), match.start("share"), "")
                yield Mutation((edit,))


OPERATOR = Operator(
    code="LAT-DIM-BIG",
    family=BUILD_REPAIR,
    tier=1,
    category="C15 dimension / counter",
    summary="The width of a figure has lost its decimal point.",
    sites=sites,
    example=Example(
        r"\includegraphics[width=0.75\linewidth]{a}",
        r"\includegraphics[width=75\linewidth]{a}",
        r"% \includegraphics[width=0.75\linewidth]{a} \includegraphics[width=0.5\linewidth]{a}",
    ),
    diagnostic=r"^Dimension too large",
)
