"""LAT-CIT-SWP: two neighbouring citations exchange their keys."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.references import citations, is_symmetric


def sites(paper: Paper) -> Iterator[Mutation]:
    """Each pair of neighbouring citations of one key each, of different keys, that are not one list."""
    for document in paper.tex:
        for first, second in pairwise(citations(document)):
            alone = len(first.siblings) == len(second.siblings) == 1
            if alone and first.text != second.text and not is_symmetric(document, first, second):
                yield Mutation((first.replaced(second.text), second.replaced(first.text)))


OPERATOR = Operator(
    code="LAT-CIT-SWP",
    family=REFERENCE_HYGIENE,
    tier=3,
    category="C17 reference / citation",
    summary="Two neighbouring citations exchange their keys.",
    sites=sites,
    example=Example(
        r"Adam~\citep{a} needs less tuning than SGD~\citep[see][]{b}.",
        r"Adam~\citep{b} needs less tuning than SGD~\citep[see][]{a}.",
        "Both \\citep{a}, \\citep{b}; the lists \\citep{a,b}; again \\citep{a,b} % \\cite{c}\n",
    ),
    changes=("citations", "links", "text"),
)
