"""TEX-LBL-DUP: a label stands at a later place once more, and the references lead there."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.references import FLOATS
from lattice_env.families.paper.uses import used_labels
from lattice_env.verifier.selftests import Replacement

_KINDS = (*FLOATS, "section")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every label of a float or a section, copied to each later one of its kind in its file."""
    documents = {document.path: document for document in paper.tex}
    found = [label for label in used_labels(paper) if label.kind in _KINDS]
    for i, label in enumerate(found):
        text = documents[label.path].text[label.start : label.end]
        for other in found[i + 1 :]:
            apart = other.kind == "section" or other.environment != label.environment
            if (other.path, other.kind) == (label.path, label.kind) and apart:
                yield Mutation((Replacement(label.path, other.end, other.end, text),))


OPERATOR = Operator(
    code="TEX-LBL-DUP",
    family=REFERENCE_HYGIENE,
    tier=2,
    category="C17 reference / citation",
    summary="A label stands at a later place once more.",
    sites=sites,
    example=Example(
        r"\section{A}\label{a}\section{B}\label{b} See \ref{a} and \ref{b}.",
        r"\section{A}\label{a}\section{B}\label{b}\label{a} See \ref{a} and \ref{b}.",
        "\\section{A}\\label{a}\\begin{table}\\caption{B}\\label{b}\\end{table} \\ref{a} \\ref{b} % \\label{c}\n",
    ),
    changes=("labels", "text"),
)
