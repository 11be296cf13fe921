"""LAT-REF-DUP: two floats carry one label, as after a copy and paste."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.references import float_labels, renamed


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every float with the label of every other of its kind in the place of its own."""
    for label, other in permutations(float_labels(paper), 2):
        if label.kind == other.kind and label.key != other.key:
            yield Mutation((renamed(label, other.key),))


OPERATOR = Operator(
    code="LAT-REF-DUP",
    family=REFERENCE_HYGIENE,
    tier=2,
    category="C17 reference / citation",
    summary="The label of a float is that of another float of its kind.",
    sites=sites,
    example=Example(
        r"\begin{table}\caption{A}\label{tab:a}\end{table}\begin{table}\caption{B}\label{tab:b}\end{table}",
        r"\begin{table}\caption{A}\label{tab:b}\end{table}\begin{table}\caption{B}\label{tab:b}\end{table}",
        "\\begin{figure}\\caption{A}\\label{fig:a}\\end{figure}\\begin{table}\\caption{B}\\label{tab:b}\\end{table}\n"
        "% \\begin{figure}\\caption{C}\\label{fig:c}\\end{figure}\n",
    ),
    changes=("labels",),
)
