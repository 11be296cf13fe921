"""LAT-REF-NNM: a heading has lost its number and kept its label."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.families.paper.uses import used_labels
from lattice_env.verifier.latex import group_end
from lattice_env.verifier.selftests import Replacement

_HEADING = re.compile(r"\\(?:chapter|(?:sub){0,2}section)(?=\{)")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every heading that has a number and, right behind it, a label that is referred to; it gets the star."""
    used = {(label.path, label.start) for label in used_labels(paper)}
    for document in paper.tex:
        code = body(document)
        for match in _HEADING.finditer(code):
            end = group_end(code, match.end())
            label = len(code) - len(code[end:].lstrip()) if end else -1
            if (document.path, label) in used:
                yield Mutation((Replacement(document.path, match.end(), match.end(), "*"),))


OPERATOR = Operator(
    code="LAT-REF-NNM",
    family=REFERENCE_HYGIENE,
    tier=2,
    category="C17 reference / citation",
    summary="A section with a label has no number.",
    sites=sites,
    example=Example(
        "\\section{A}\n\\label{sec:a} See \\ref{sec:a}.",
        "\\section*{A}\n\\label{sec:a} See \\ref{sec:a}.",
        "\\section*{A}\\label{sec:a}\\ref{sec:a}\\section{B}\\label{sec:b} % \\ref{sec:b} \\section{C}\\label{sec:c}\n",
    ),
    changes=("labels", "links", "text"),
)
