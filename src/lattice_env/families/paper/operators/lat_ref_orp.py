"""LAT-REF-ORP: a label is deleted, and the references to it lead nowhere."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.lines import taken_out
from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.uses import used_labels


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every label that is referred to."""
    documents = {document.path: document for document in paper.tex}
    for label in used_labels(paper):
        yield Mutation((taken_out(documents[label.path], label.start, label.end),))


OPERATOR = Operator(
    code="LAT-REF-ORP",
    family=REFERENCE_HYGIENE,
    tier=1,
    category="C17 reference / citation",
    summary="The label behind a reference is deleted.",
    sites=sites,
    example=Example(
        "\\section{A}\n\\label{sec:a}\nSee \\cref{sec:a,sec:b}.\n",
        "\\section{A}\nSee \\cref{sec:a,sec:b}.\n",
        "\\section{A}\n\\label{sec:a} \\verb|\\ref{sec:a}| % \\ref{sec:a} \\label{sec:b}\n\\ref{sec:b}\n",
    ),
    changes=("labels", "links", "text"),
)
