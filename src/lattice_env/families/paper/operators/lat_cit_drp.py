"""LAT-CIT-DRP: one key is lost from a citation of several."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.operators.lat_cit_swp import citations
from lattice_env.verifier.selftests import Replacement


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every key of every citation of two or more, with the comma beside it."""
    for document in paper.tex:
        for _, group in groupby(citations(document), lambda key: key.span):
            keys = list(group)
            for i, key in enumerate(keys[: len(keys) if len(keys) > 1 else 0]):
                start = keys[i - 1].end if i else key.start
                end = key.end if i else keys[1].start
                if "%" not in document.text[start:end] and key.siblings.count(key.text) == 1:
                    yield Mutation((Replacement(document.path, start, end, ""),))


OPERATOR = Operator(
    code="LAT-CIT-DRP",
    family=REFERENCE_HYGIENE,
    tier=3,
    category="C17 reference / citation",
    summary="One key of a citation of several is lost.",
    sites=sites,
    example=Example(
        r"as before \citep[see][]{a, b,c}.",
        r"as before \citep[see][]{b,c}.",
        "one \\cite{a} and \\cite[p.~1,2]{b} \\verb|\\cite{a,b}| % \\cite{a,b}\n",
    ),
    changes=("citations",),
)
