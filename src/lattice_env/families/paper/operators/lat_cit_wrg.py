"""LAT-CIT-WRG: a citation names another work of the bibliography."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.references import citations, likeness


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every key that is cited once; in its place comes the likest one that the paper cites in another citation.

    A key that is cited elsewhere too would leave no trace of what stood here.
    """
    cited = [key for document in paper.tex for key in citations(document)]
    count = Counter(key.text for key in cited)
    for key in (key for key in cited if count[key.text] == 1):
        others = dict.fromkeys(other.text for other in cited if other.text not in key.siblings)
        if others:
            wrong = max(others, key=lambda other: likeness(key.text, other))
            yield Mutation((key.replaced(wrong),))


OPERATOR = Operator(
    code="LAT-CIT-WRG",
    family=REFERENCE_HYGIENE,
    tier=3,
    category="C17 reference / citation",
    summary="A citation names another work of the bibliography.",
    sites=sites,
    example=Example(
        r"\citet[p.~3]{knuth84} or \cite{knuth86,lamport94}",
        r"\citet[p.~3]{knuth86} or \cite{knuth86,lamport94}",
        "all in \\cite{a,b} \\verb|\\cite{c}| \\nocite{d} % \\cite{e}\n",
    ),
    changes=("citations",),
)
