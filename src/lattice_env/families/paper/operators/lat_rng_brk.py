"""LAT-RNG-BRK: a range of references runs backwards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.families.paper.references import Key, kinds, references
from lattice_env.verifier.latex import Document

_JOINT = re.compile(r"\s*(?:--|\\textendash|~?(?:to|through)(?![a-z]))[\s~]*")


def _is_range(document: Document, first: Key, second: Key) -> bool:
    """Whether two neighbouring keys are the ends of one range."""
    if first.span == second.span:
        return "range" in first.command
    joint = _JOINT.fullmatch(body(document), first.span[1], second.span[0])
    return bool(joint) and first.command == second.command and len(first.siblings) == len(second.siblings) == 1


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every range between two labels of one kind; its ends are exchanged."""
    kind_of = kinds(paper)
    for document in paper.tex:
        for first, second in pairwise(references(document)):
            same = kind_of.get(first.text, "") == kind_of.get(second.text)
            if same and first.text != second.text and _is_range(document, first, second):
                yield Mutation((first.replaced(second.text), second.replaced(first.text)))


OPERATOR = Operator(
    code="LAT-RNG-BRK",
    family=REFERENCE_HYGIENE,
    tier=2,
    category="C17 reference / citation",
    summary="A range of references runs backwards.",
    sites=sites,
    example=Example(
        r"\section{A}\label{a}\section{B}\label{b} Sections~\ref{a}--\ref{b} and \crefrange{a}{b}",
        r"\section{A}\label{a}\section{B}\label{b} Sections~\ref{b}--\ref{a} and \crefrange{a}{b}",
        "\\section{A}\\label{a}\\section{B}\\label{b} \\ref{a} and \\ref{b}, \\ref{a}, \\ref{b}, \\cref{a,b}\n"
        "% \\crefrange{a}{b}\n",
    ),
    changes=("links", "text"),
)
