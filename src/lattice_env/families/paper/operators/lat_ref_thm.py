"""LAT-REF-THM: the label of a theorem stands before the theorem, so that it names the section."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.lines import put_before, taken_out
from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.uses import used_labels

_DECLARED = re.compile(r"\\(?:newtheorem|spnewtheorem|declaretheorem)\*?\s*(?:\[[^\]]*\]\s*)?\{([^{}]+)\}")
_USUAL = ("theorem", "lemma", "corollary", "proposition", "definition")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every theorem, lemma or what the paper declares of this sort, whose label is referred to."""
    documents = {document.path: document for document in paper.tex}
    declared = {match[1] for document in paper.tex for match in _DECLARED.finditer(document.code)}
    for label in used_labels(paper):
        owner, document = label.environment, documents[label.path]
        if owner and owner.name in {*_USUAL, *declared}:
            text = document.text[label.start : label.end]
            yield Mutation((put_before(document, owner.begin, text), taken_out(document, label.start, label.end)))


OPERATOR = Operator(
    code="LAT-REF-THM",
    family=REFERENCE_HYGIENE,
    tier=2,
    category="C17 reference / citation",
    summary="The label of a theorem stands before the theorem and names the section.",
    sites=sites,
    example=Example(
        "By \\ref{l}:\n\\begin{lemma}\n  \\label{l}\n  True.\n\\end{lemma}\n",
        "By \\ref{l}:\n\\label{l}\n\\begin{lemma}\n  True.\n\\end{lemma}\n",
        "\\begin{lemma}\\label{l}True.\\end{lemma} \\begin{table}\\label{t}\\end{table} \\ref{t} % \\ref{l}\n",
    ),
    changes=("labels", "links", "text"),
)
