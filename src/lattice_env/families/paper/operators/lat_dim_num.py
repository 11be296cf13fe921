"""LAT-DIM-NUM: a length has no number."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.lengths import lengths
from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.verifier.selftests import Replacement


def sites(paper: Paper) -> Iterator[Mutation]:
    """The number of every length, in the preamble too."""
    for document in paper.tex:
        for match in lengths(document):
            yield Mutation((Replacement(document.path, *match.span("number"), ""),))


OPERATOR = Operator(
    code="LAT-DIM-NUM",
    family=BUILD_REPAIR,
    tier=1,
    category="C15 dimension / counter",
    summary="A length has no number.",
    sites=sites,
    example=Example(
        r"\setlength{\tabcolsep}{4pt}",
        r"\setlength{\tabcolsep}{pt}",
        r"% \hspace{4pt} \verb|\hspace{4pt}| about 4pt \documentclass[10pt]{article}",
    ),
    diagnostic=r"^Missing number, treated as zero",
)
