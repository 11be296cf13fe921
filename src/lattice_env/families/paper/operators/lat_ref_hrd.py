"""LAT-REF-HRD: a reference typed as its current number."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.numbering import typed, typings
from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.verifier.selftests import Replacement

_HYPERREF = re.compile(r"\\(?:usepackage|RequirePackage)\s*(?:\[[^\]]*\]\s*)?\{[^{}]*\bhyperref\b[^{}]*\}")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every single reference whose number can be counted, and that number in its place.

    A paper without hyperref has none: its PDF would not change by a byte.
    """
    if not any(_HYPERREF.search(document.code) for document in paper.tex):
        return
    for document, use, number in typings(paper):
        text = typed(paper, use, number, number.printed())
        if text:
            yield Mutation((Replacement(document.path, *use.span, text),))


_PAPER = (
    r"\documentclass{article}\usepackage[hidelinks]{hyperref}\begin{document}"
    r"\section{A}\subsection{B}\label{sec:b}%s\end{document}"
)

OPERATOR = Operator(
    code="LAT-REF-HRD",
    family=REFERENCE_HYGIENE,
    tier=3,
    category="C17 reference / citation",
    summary="A reference is typed as its current number.",
    sites=sites,
    example=Example(
        _PAPER % r"See Section~\ref{sec:b}.",
        _PAPER % "See Section~1.1.",
        _PAPER
        % (
            r"\section*{C}\label{sec:c}See \ref{sec:c}, \pageref{sec:b}, \verb|\ref{sec:b}|. % \ref{sec:b}"
            "\n"
        ),
    ),
    changes=("links",),
)
