"""LAT-REF-ITM: the label of an item stands in a neighbouring item."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from lattice_env.families.paper.lines import taken_out
from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.families.paper.references import Label
from lattice_env.families.paper.uses import used_labels
from lattice_env.verifier.latex import Document, Environment, environments
from lattice_env.verifier.selftests import Replacement

_STEPS = {
    "enumerate": re.compile(r"\\item(?![A-Za-z@])(?!\s*\[)"),
    "algorithmic": re.compile(r"\\(?:State|If|ElsIf|Else|EndIf|For|ForAll|EndFor|While|EndWhile)(?![A-Za-z@])"),
}
"""What begins a numbered step in each environment that has them."""


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every step with a label that is referred to, and each of its neighbours, to which the label goes."""
    found = used_labels(paper)
    for document in paper.tex:
        here = [label for label in found if label.path == document.path]
        for around in environments(body(document)):
            for first, second in pairwise(_steps(body(document), around)):
                for (a, b), (_, end) in ((first, second), (second, first)):
                    yield from (_moved(document, label, end) for label in here if a <= label.start < b)


def _steps(code: str, around: Environment) -> list[tuple[int, int]]:
    """From and to of every step that is no part of an inner environment."""
    pattern = _STEPS.get(around.name)
    inner = [e for e in environments(code) if around.begin < e.begin < around.end]
    matches = pattern.finditer(code, around.body, around.body_end) if pattern else ()
    begins = [m.start() for m in matches if not any(e.begin <= m.start() < e.end for e in inner)]
    return list(pairwise([*begins, around.body_end])) if begins else []


def _moved(document: Document, label: Label, end: int) -> Mutation:
    """The edit that puts a label where the live text of another step ends."""
    offset = len(document.code[:end].rstrip())
    put = Replacement(document.path, offset, offset, f" {document.text[label.start : label.end]}")
    taken = taken_out(document, label.start, label.end)
    return Mutation((put, taken) if put.start < taken.start else (taken, put))


OPERATOR = Operator(
    code="LAT-REF-ITM",
    family=REFERENCE_HYGIENE,
    tier=3,
    category="C17 reference / citation",
    summary="The label of an item or a line stands in a neighbouring one.",
    sites=sites,
    example=Example(
        "Step \\ref{it:a}.\n\\begin{enumerate}\n  \\item Go. \\label{it:a}\n  \\item Stop.\n\\end{enumerate}\n",
        "Step \\ref{it:a}.\n\\begin{enumerate}\n  \\item Go. \n  \\item Stop. \\label{it:a}\n\\end{enumerate}\n",
        "\\begin{enumerate}\\item\\label{it:a} A.\\end{enumerate} \\ref{it:a}\n"
        "\\begin{itemize}\\item\\label{it:b} A.\\item B.\\end{itemize} \\ref{it:b} % \\item\n",
    ),
    changes=("labels", "links", "text"),
)
