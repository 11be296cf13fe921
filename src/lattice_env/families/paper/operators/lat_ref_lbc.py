"""LAT-REF-LBC: the label of a float stands before its caption, so that it names the section."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.families.paper.references import Label, float_labels
from lattice_env.verifier.latex import Document, environments, group_end
from lattice_env.verifier.selftests import Replacement

_CAPTION = re.compile(r"\\caption(?:\s*\[[^\]]*\])?\s*(?=\{)")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every figure and table whose label stands behind its only caption."""
    documents = {document.path: document for document in paper.tex}
    for label in float_labels(paper):
        owner, document = label.environment, documents[label.path]
        if owner is None or owner.name.startswith("longtable"):
            continue
        captions = _captions(document, owner.body, owner.body_end)
        if len(captions) == 1 and captions[0][1] <= label.start:
            yield Mutation((_inserted(document, captions[0][0], label), _deleted(document, label)))


def _captions(document: Document, start: int, end: int) -> list[tuple[int, int]]:
    """From and to of the captions between two offsets, those of subfigures and the like left out."""
    code = body(document)
    inner = [e for e in environments(code[start:end]) if e.name.startswith(("sub", "minipage"))]
    found = [(m.start(), group_end(code, m.end())) for m in _CAPTION.finditer(code, start, end)]
    return [(a, b) for a, b in found if b and not any(e.begin <= a - start < e.end for e in inner)]


def _inserted(document: Document, caption: int, label: Label) -> Replacement:
    """The label before the caption: on a line of its own where the caption begins one."""
    start, _ = document.line_span(caption)
    indent = document.text[start:caption]
    gap = "\n" + indent if not indent.strip() else ""
    return Replacement(document.path, caption, caption, document.text[label.start : label.end] + gap)


def _deleted(document: Document, label: Label) -> Replacement:
    """The label taken out, with its line where it stands alone on it."""
    start, end = document.line_span(label.start)
    alone = document.text[start:end].strip() == document.text[label.start : label.end]
    return Replacement(document.path, *((start, end) if alone else (label.start, label.end)), "")


OPERATOR = Operator(
    code="LAT-REF-LBC",
    family=REFERENCE_HYGIENE,
    tier=2,
    category="C17 reference / citation",
    summary="The label of a float stands before its caption and names the section.",
    sites=sites,
    example=Example(
        "\\begin{table}\n  \\caption[A]{A \\emph{b}}\n  \\label{tab:a}\n  x\n\\end{table}\n",
        "\\begin{table}\n  \\label{tab:a}\n  \\caption[A]{A \\emph{b}}\n  x\n\\end{table}\n",
        "\\begin{figure}\n  % \\caption{A}\n  \\label{fig:a}\n  \\caption{A}\n\\end{figure}\n"
        "\\begin{table}\\caption{B\\label{tab:b}}\\end{table}\n",
    ),
    changes=("labels", "links", "text"),
)
