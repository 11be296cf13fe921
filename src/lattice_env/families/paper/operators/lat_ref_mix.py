"""LAT-REF-MIX: a label and a reference to it have exchanged their commands."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.references import single_references
from lattice_env.families.paper.uses import used_labels
from lattice_env.verifier.selftests import Replacement

_KINDS = ("figure", "table", "section")
_LABEL, _REF = r"\label", r"\ref"


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every label of a float or a section with each plain reference to it."""
    found = [use for document in paper.tex for use in single_references(document) if use.command == "ref"]
    for label in used_labels(paper):
        for use in (use for use in found if use.text == label.key and label.kind in _KINDS):
            named = Replacement(label.path, label.start, label.start + len(_LABEL), _REF)
            used = Replacement(use.path, use.span[0], use.span[0] + len(_REF), _LABEL)
            yield Mutation((named, used))


OPERATOR = Operator(
    code="LAT-REF-MIX",
    family=REFERENCE_HYGIENE,
    tier=2,
    category="C17 reference / citation",
    summary="A label and a reference to it have exchanged their commands.",
    sites=sites,
    example=Example(
        r"\section{A}\label{sec:a} See \ref{sec:a}.",
        r"\section{A}\ref{sec:a} See \label{sec:a}.",
        "\\section{A}\\label{sec:a} \\pageref{sec:a} \\verb|\\ref{sec:a}| % \\ref{sec:a}\n",
    ),
    changes=("labels", "links", "text"),
)
