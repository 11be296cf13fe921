"""LAT-CAP-SWP: two floats of one kind have each other's captions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.families.paper.references import Label, float_labels
from lattice_env.verifier.latex import Document, group_end
from lattice_env.verifier.selftests import Replacement

_CAPTION = re.compile(r"\\caption\s*(?=[{\[])(?:\[[^\][]*\]\s*)?(?=\{)")


def _caption(document: Document, label: Label) -> Replacement | None:
    """The only caption of a float, without a label in it, as what would put it there again."""
    code, owner = body(document), label.environment
    found = list(_CAPTION.finditer(code, owner.body, owner.body_end)) if owner else []
    end = group_end(code, found[0].end()) if len(found) == 1 else None
    if end is None or r"\label" in code[found[0].start() : end]:
        return None
    return Replacement(document.path, found[0].start(), end, document.text[found[0].start() : end])


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every two labelled floats of one kind with one caption each."""
    documents = {document.path: document for document in paper.tex}
    captions = [(label.kind, _caption(documents[label.path], label)) for label in float_labels(paper)]
    for (kind, a), (other, b) in combinations(captions, 2):
        if a and b and kind == other and a.new != b.new:
            yield Mutation((Replacement(a.file, a.start, a.end, b.new), Replacement(b.file, b.start, b.end, a.new)))


OPERATOR = Operator(
    code="LAT-CAP-SWP",
    family=REFERENCE_HYGIENE,
    tier=3,
    category="C17 reference / citation",
    summary="Two floats of one kind have each other's captions.",
    sites=sites,
    example=Example(
        r"\begin{table}\caption[S]{A {b}}\label{a}\end{table}\begin{table}\caption{B}\label{b}\end{table}",
        r"\begin{table}\caption{B}\label{a}\end{table}\begin{table}\caption[S]{A {b}}\label{b}\end{table}",
        "\\begin{table}\\caption{A}\\label{a}\\end{table}\\begin{figure}\\caption{B}\\label{b}\\end{figure}\n"
        "% \\begin{table}\\caption{C}\\label{c}\\end{table}\n",
    ),
    changes=("labels", "text"),
)
