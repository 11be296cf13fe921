"""LAT-REF-CRF: a reference has lost the name of what it leads to: `\\ref` for `\\cref`."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.references import single_references
from lattice_env.verifier.selftests import Replacement

_NAMING = ("cref", "Cref", "autoref", "vref", "Vref")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every reference to one thing that prints its name."""
    for document in paper.tex:
        for use in single_references(document):
            if use.command in _NAMING:
                start = use.span[0]
                yield Mutation((Replacement(document.path, start, start + 1 + len(use.command), r"\ref"),))


OPERATOR = Operator(
    code="LAT-REF-CRF",
    family=REFERENCE_HYGIENE,
    tier=2,
    category="C17 reference / citation",
    summary="A reference that names what it leads to gives the bare number.",
    sites=sites,
    example=Example(
        r"as in \cref{sec:a}",
        r"as in \ref{sec:a}",
        "\\cref{sec:a,sec:b} \\ref{sec:a} \\verb|\\cref{sec:a}| % \\cref{sec:a}\n",
    ),
    changes=("text",),
)
