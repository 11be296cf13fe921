"""LAT-REF-STL: a reference typed as a number that is no longer right."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.numbering import typed, typings
from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.verifier.selftests import Replacement


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every single reference whose number can be counted, and the number beside it in its place."""
    for document, use, number in typings(paper):
        text = typed(paper, use, number, number.stale)
        if text:
            yield Mutation((Replacement(document.path, *use.span, text),))


_PAPER = (
    r"\documentclass{article}\begin{document}\begin{table}\caption{A}\end{table}"
    r"\begin{table}\caption{B}\label{tab:b}\end{table}%s\end{document}"
)

OPERATOR = Operator(
    code="LAT-REF-STL",
    family=REFERENCE_HYGIENE,
    tier=2,
    category="C17 reference / citation",
    summary="A reference is typed as a number that is one off.",
    sites=sites,
    example=Example(
        _PAPER % r"See Table~\ref{tab:b}.",
        _PAPER % "See Table~1.",
        _PAPER % ("See \\ref{tab:a}, \\pageref{tab:b}, \\verb|\\ref{tab:b}|. % \\ref{tab:b}\n"),
    ),
    changes=("links", "text"),
)
