"""LAT-REF-EQX: something that is no equation is referred to in parentheses: `\\eqref` for `\\ref`."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import loads
from lattice_env.families.paper.references import kinds, single_references
from lattice_env.verifier.selftests import Replacement

_COMMAND = r"\ref"
_MATH = ("amsmath", "mathtools")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every plain reference to what is no equation, in a paper with amsmath."""
    kind_of = kinds(paper)
    if not any(name in _MATH for document in paper.tex for *_, name in loads(document)):
        return
    for document in paper.tex:
        for use in single_references(document):
            if use.command == "ref" and kind_of.get(use.text, "equation") != "equation":
                start = use.span[0]
                yield Mutation((Replacement(document.path, start, start + len(_COMMAND), r"\eqref"),))


_PAPER = r"\documentclass{article}\usepackage{amsmath}\begin{document}%s\end{document}"


OPERATOR = Operator(
    code="LAT-REF-EQX",
    family=REFERENCE_HYGIENE,
    tier=2,
    category="C17 reference / citation",
    summary="A reference to something that is no equation has parentheses.",
    sites=sites,
    example=Example(
        _PAPER % r"\section{A}\label{sec:a}\ref{sec:a}",
        _PAPER % r"\section{A}\label{sec:a}\eqref{sec:a}",
        _PAPER
        % (
            r"\section{A}\label{sec:a}\begin{equation}\label{eq:a}x\end{equation}"
            "\\ref{eq:a} \\verb|\\ref{sec:a}| % \\ref{sec:a}\n"
        ),
    ),
    changes=("text",),
)
