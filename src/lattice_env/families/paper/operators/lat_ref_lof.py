"""LAT-REF-LOF: the label of a float stands behind the float, so that it names the section."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.lines import put_behind, taken_out
from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.references import float_labels
from lattice_env.families.paper.uses import uses


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every figure and table whose only label is referred to; the label goes behind its end."""
    documents = {document.path: document for document in paper.tex}
    used = uses(paper)
    for label in float_labels(paper):
        owner, document = label.environment, documents[label.path]
        if owner and used[label.key]:
            text = document.text[label.start : label.end]
            yield Mutation((taken_out(document, label.start, label.end), put_behind(document, owner.end, text)))


OPERATOR = Operator(
    code="LAT-REF-LOF",
    family=REFERENCE_HYGIENE,
    tier=2,
    category="C17 reference / citation",
    summary="The label of a float stands behind the float and names the section.",
    sites=sites,
    example=Example(
        "See \\ref{tab:a}.\n\\begin{table}\n  \\caption{A}\n  \\label{tab:a}\n\\end{table}\n",
        "See \\ref{tab:a}.\n\\begin{table}\n  \\caption{A}\n\\end{table}\n\\label{tab:a}\n",
        "\\begin{table}\\caption{A}\\label{tab:a}\\end{table} % \\ref{tab:a}\n\\ref{fig:a}\n"
        "% \\begin{figure}\\caption{A}\\label{fig:a}\\end{figure}\n",
    ),
    changes=("labels", "links", "text"),
)
