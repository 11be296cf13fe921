"""LAT-REF-SWP: two references of one kind exchange their targets."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.verifier.selftests import Replacement

_USE = re.compile(r"\\(?:ref|eqref|autoref|cref|Cref)\{((?:fig|tab|eq|sec|thm|lem|alg)[:.-][^{},]+)\}")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Each pair of neighbouring uses, in one file, that name different labels with the same prefix."""
    for document in paper.tex:
        last: dict[str, re.Match[str]] = {}
        for use in _USE.finditer(document.code):
            prefix = use[1][:3]
            other = last.get(prefix)
            if other and other[1] != use[1]:
                pairs = ((other, use[1]), (use, other[1]))
                yield Mutation(tuple(Replacement(document.path, m.start(1), m.end(1), key) for m, key in pairs))
            last[prefix] = use


OPERATOR = Operator(
    code="LAT-REF-SWP",
    family=REFERENCE_HYGIENE,
    tier=3,
    category="C17 reference / citation",
    summary="Two references of one kind exchange their targets.",
    sites=sites,
    example=Example(
        r"\ref{fig:a} and \ref{fig:b}", r"\ref{fig:b} and \ref{fig:a}", r"\ref{fig:a}, \ref{tab:b}, \ref{fig:a}"
    ),
    changes=("links", "text"),
)
