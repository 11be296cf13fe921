"""LAT-REF-ROW: a label stands in a neighbouring row of its display."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from lattice_env.families.paper.displays import displays, rows
from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.families.paper.references import Label, labels, renamed
from lattice_env.families.paper.uses import uses
from lattice_env.verifier.latex import Document
from lattice_env.verifier.selftests import Replacement

_UNNUMBERED = re.compile(r"\\(?:notag|nonumber|tag)(?![A-Za-z@])")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every two neighbouring rows with numbers, of which one has a label that is referred to.

    The label goes into the other row; where that has one, the two are exchanged.
    """
    used, known = uses(paper), labels(paper)
    for document in paper.tex:
        code = body(document)
        here = [label for label in known if label.path == document.path]
        for display in displays(document):
            numbered = [row for row in rows(code, display) if not _UNNUMBERED.search(code, *row)]
            for pair in pairwise(numbered):
                inside = [[label for label in here if a <= label.start < b] for a, b in pair]
                if any(used[label.key] for row in inside for label in row) and max(map(len, inside)) == 1:
                    yield _moved(document, inside, pair)


def _moved(document: Document, inside: list[list[Label]], pair: tuple[tuple[int, int], ...]) -> Mutation:
    """The edit that gives each row the label of the other."""
    if all(inside):
        (first,), (second,) = inside
        return Mutation((renamed(first, second.key), renamed(second, first.key)))
    (label,), (_, end) = (inside[0], pair[1]) if inside[0] else (inside[1], pair[0])
    offset = len(document.code[:end].rstrip())
    put = Replacement(document.path, offset, offset, f" {document.text[label.start : label.end]}")
    taken = Replacement(document.path, label.start, label.end, "")
    return Mutation((put, taken) if put.start < taken.start else (taken, put))


OPERATOR = Operator(
    code="LAT-REF-ROW",
    family=REFERENCE_HYGIENE,
    tier=3,
    category="C17 reference / citation",
    summary="A label stands in a neighbouring row of its display.",
    sites=sites,
    example=Example(
        r"\begin{align}x \label{eq:a} \\ y\end{align} by \ref{eq:a}",
        r"\begin{align}x  \\ y \label{eq:a}\end{align} by \ref{eq:a}",
        "\\begin{align}x \\label{eq:a} \\\\ y \\notag\\end{align} by \\ref{eq:a}\n"
        "\\begin{equation}\\label{eq:b} x \\\\ y\\end{equation} by \\ref{eq:b}\n"
        "% \\begin{align}x \\label{eq:c} \\\\ y\\end{align} by \\ref{eq:c}\n",
    ),
    changes=("labels", "links", "text"),
)
