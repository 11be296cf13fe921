"""LAT-REF-LSH: the labels of two floats of one kind are exchanged."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.references import float_labels, renamed


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every pair of labelled floats of one kind."""
    for first, second in combinations(float_labels(paper), 2):
        if first.kind == second.kind and first.key != second.key:
            yield Mutation((renamed(first, second.key), renamed(second, first.key)))


OPERATOR = Operator(
    code="LAT-REF-LSH",
    family=REFERENCE_HYGIENE,
    tier=3,
    category="C17 reference / citation",
    summary="The labels of two floats of one kind are exchanged.",
    sites=sites,
    example=Example(
        r"\begin{figure}\caption{A}\label{fig:a}\end{figure}\begin{figure*}\caption{B}\label{fig:b}\end{figure*}",
        r"\begin{figure}\caption{A}\label{fig:b}\end{figure}\begin{figure*}\caption{B}\label{fig:a}\end{figure*}",
        "\\begin{figure}\\caption{A}\\label{fig:a}\\end{figure}\\begin{table}\\caption{B}\\label{tab:b}\\end{table}\n"
        "% \\begin{figure}\\caption{C}\\label{fig:c}\\end{figure}\n",
    ),
    changes=("labels", "links", "text"),
)
