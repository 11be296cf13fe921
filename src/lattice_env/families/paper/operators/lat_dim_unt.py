"""LAT-DIM-UNT: the unit of a length is misspelt."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.lengths import lengths
from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.verifier.selftests import Replacement

TYPOS = {"pt": "tp", "mm": "nm", "cm": "cn", "in": "im", "em": "me", "ex": "xe", "bp": "bq"}


def sites(paper: Paper) -> Iterator[Mutation]:
    """The unit of every length, in the preamble too."""
    for document in paper.tex:
        for match in lengths(document):
            yield Mutation((Replacement(document.path, *match.span("unit"), TYPOS[match["unit"]]),))


OPERATOR = Operator(
    code="LAT-DIM-UNT",
    family=BUILD_REPAIR,
    tier=1,
    category="C15 dimension / counter",
    summary="The unit of a length is misspelt.",
    sites=sites,
    example=Example(
        r"\setlength{\tabcolsep}{4pt}",
        r"\setlength{\tabcolsep}{4tp}",
        r"% \hspace{4pt} \verb|\hspace{4pt}| about 4pt \documentclass[10pt]{article}",
    ),
    diagnostic=r"^Illegal unit of measure",
)
