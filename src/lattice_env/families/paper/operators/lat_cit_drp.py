"""LAT-CIT-DRP: one key is lost from a citation of several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby

from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.references import citations
from lattice_env.verifier.selftests import Replacement


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every key of a citation of two or more that is cited nowhere else, with the comma beside it.

    A key that is cited elsewhere too would leave no trace of what stood here.
    """
    count = Counter(key.text for document in paper.tex for key in citations(document))
    for document in paper.tex:
        for _, group in groupby(citations(document), lambda key: key.span):
            keys = list(group)
            for i, key in enumerate(keys[: len(keys) if len(keys) > 1 else 0]):
                start = keys[i - 1].end if i else key.start
                end = key.end if i else keys[1].start
                if "%" not in document.text[start:end] and count[key.text] == 1:
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
