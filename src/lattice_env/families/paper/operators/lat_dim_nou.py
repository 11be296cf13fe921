"""LAT-DIM-NOU: a length has no unit."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.lengths import lengths
from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.verifier.selftests import Replacement


def sites(paper: Paper) -> Iterator[Mutation]:
    """The unit of every length, in the preamble too."""
    for document in paper.tex:
        for match in lengths(document):
            yield Mutation((Replacement(document.path, *match.span("unit"), ""),))


OPERATOR = Operator(
    code="LAT-DIM-NOU",
    family=BUILD_REPAIR,
    tier=1,
    category="C15 dimension / counter",
    summary="A length has no unit.",
    sites=sites,
    example=Example(
        r"\setlength{\tabcolsep}{4pt}",
        r"\setlength{\tabcolsep}{4}",
        r"% \hspace{4pt} \verb|\hspace{4pt}| about 4pt \documentclass[10pt]{article}",
    ),
    diagnostic=r"^Illegal unit of measure",
)
