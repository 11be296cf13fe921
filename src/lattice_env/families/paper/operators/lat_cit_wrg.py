"""LAT-CIT-WRG: a citation names another work of the bibliography."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher

from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.operators.lat_cit_swp import citations


def likeness(one: str, other: str) -> float:
    """How easily one key is taken for another: 1 for the same key, 0 for nothing in common."""
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every cited key; in its place comes the likest one that the paper cites in another citation."""
    cited = [key for document in paper.tex for key in citations(document)]
    for key in cited:
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
