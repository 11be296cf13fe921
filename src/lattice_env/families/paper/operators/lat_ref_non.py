"""LAT-REF-NON: the labelled row of a display has no number."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.displays import displays, rows
from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.families.paper.uses import used_labels
from lattice_env.verifier.selftests import Replacement

_NUMBERLESS = re.compile(r"\\(?:notag|nonumber)(?![A-Za-z@])")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every display with one label, whose row loses its number by the command that the paper uses."""
    found = used_labels(paper)
    known = [match[0] for document in paper.tex for match in _NUMBERLESS.finditer(document.code)]
    command = known[0] if known else r"\nonumber"
    for document in paper.tex:
        code = body(document)
        for display in displays(document):
            inside = [label for label in found if label.path == document.path and label.environment == display]
            row = next(((a, b) for a, b in rows(code, display) if inside and a <= inside[0].start < b), None)
            if len(inside) == 1 and row and not _NUMBERLESS.search(code, *row):
                end = inside[0].end
                yield Mutation((Replacement(document.path, end, end, f" {command}"),))


OPERATOR = Operator(
    code="LAT-REF-NON",
    family=REFERENCE_HYGIENE,
    tier=2,
    category="C17 reference / citation",
    summary="The labelled row of a display has no number.",
    sites=sites,
    example=Example(
        "By~\\eqref{eq:a}\n\\begin{align}\n  x \\\\\n  y \\label{eq:a}\n\\end{align}\n",
        "By~\\eqref{eq:a}\n\\begin{align}\n  x \\\\\n  y \\label{eq:a} \\nonumber\n\\end{align}\n",
        "\\begin{align}x \\nonumber\\\\y \\nonumber\\label{eq:a}\\end{align}\\eqref{eq:a}\n"
        "\\begin{align*}y\\label{eq:b}\\end{align*}\\eqref{eq:b} % \\begin{align}y\\label{eq:c}\\end{align}\n",
    ),
    changes=("labels", "links", "text"),
)
