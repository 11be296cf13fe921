"""LAT-REF-STR: a display has lost its number and kept its label."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.displays import displays
from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.uses import used_labels
from lattice_env.verifier.selftests import Replacement

_STARRED = ("equation", "align", "gather", "multline", "flalign")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every display with one label, which is referred to; it gets the star."""
    for document in paper.tex:
        used = [label.environment for label in used_labels(paper) if label.path == document.path]
        for display in displays(document):
            if display.name in _STARRED and used.count(display) == 1:
                ends = (display.body - 1, display.end - 1)
                yield Mutation(tuple(Replacement(document.path, end, end, "*") for end in ends))


OPERATOR = Operator(
    code="LAT-REF-STR",
    family=REFERENCE_HYGIENE,
    tier=2,
    category="C17 reference / citation",
    summary="A display with a label has no number.",
    sites=sites,
    example=Example(
        r"By~\eqref{eq:a} \begin{equation}\label{eq:a}x\end{equation}",
        r"By~\eqref{eq:a} \begin{equation*}\label{eq:a}x\end{equation*}",
        "\\begin{equation}\\label{eq:a}x\\end{equation}\\begin{equation*}\\label{eq:b}x\\end{equation*}\n"
        "\\eqref{eq:b} % \\eqref{eq:a}\n",
    ),
    changes=("labels", "links", "text"),
)
