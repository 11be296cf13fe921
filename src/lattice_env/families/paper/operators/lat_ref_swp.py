"""LAT-REF-SWP: two references of one kind exchange their targets."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, pairwise

from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.references import is_symmetric, kinds, single_references


def sites(paper: Paper) -> Iterator[Mutation]:
    """Each pair of neighbouring uses, in one file, of different labels of one kind; lists left alone."""
    kind_of = kinds(paper)
    for document in paper.tex:
        uses = [use for use in single_references(document) if use.text in kind_of]
        by_kind = groupby(sorted(uses, key=lambda use: kind_of[use.text]), lambda use: kind_of[use.text])
        rows = [list(row) for _, row in by_kind]
        pairs = sorted((pair for row in rows for pair in pairwise(row)), key=lambda p: p[0].start)
        for first, second in pairs:
            if first.text != second.text and not is_symmetric(document, first, second):
                yield Mutation((first.replaced(second.text), second.replaced(first.text)))


OPERATOR = Operator(
    code="LAT-REF-SWP",
    family=REFERENCE_HYGIENE,
    tier=3,
    category="C17 reference / citation",
    summary="Two references of one kind exchange their targets.",
    sites=sites,
    example=Example(
        r"\begin{equation}\label{a}x\end{equation}\begin{equation}\label{b}y\end{equation}"
        r"By~\eqref{a} we are done, unlike in~\eqref{b}.",
        r"\begin{equation}\label{a}x\end{equation}\begin{equation}\label{b}y\end{equation}"
        r"By~\eqref{b} we are done, unlike in~\eqref{a}.",
        r"\begin{equation}\label{a}x\end{equation}\begin{figure}\label{b}\end{figure}\begin{figure}\label{c}\end{figure}"
        "\n"
        r"\ref{a} is in \ref{b}; \ref{b} and~\ref{c}; \verb|\ref{a} is \ref{c}| % \ref{c} is not \ref{b}",
    ),
    changes=("links", "text"),
)
