"""LAT-REF-TYP: a reference leads to a label of another kind than the word before it says."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.families.paper.references import Key, kinds, likeness, single_references
from lattice_env.verifier.latex import Document

_WORDS = {
    "figure": r"Figures?|Figs?\.",
    "table": r"Tables?|Tabs?\.",
    "section": r"Sections?|Secs?\.|Appendix|Appendices",
    "equation": r"Equations?|Eqs?\.",
}
_BEFORE = {
    kind: re.compile(rf"(?<![A-Za-z])(?:{words})(?:~|\s|\\[ ,]|\()*\Z", re.IGNORECASE) for kind, words in _WORDS.items()
}
_REACH = 40


def named_kind(document: Document, use: Key) -> str:
    """The kind that the words before a reference, or its command, say; empty where they say none."""
    if use.command == "eqref":
        return "equation"
    before = body(document)[max(0, use.span[0] - _REACH) : use.span[0]]
    return next((kind for kind, words in _BEFORE.items() if words.search(before)), "")


def stem(key: str) -> str:
    """A key without its prefix: `curves` of `fig:curves`."""
    return re.sub(r"^[A-Za-z]+[:.-]", "", key)


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every single reference whose words tell its kind; it gets the likest label of another kind."""
    kind_of = kinds(paper)
    for document in paper.tex:
        for use in single_references(document):
            kind = kind_of.get(use.text)
            if use.command not in ("ref", "eqref") or kind is None or named_kind(document, use) != kind:
                continue
            others = [key for key, other in kind_of.items() if other in _WORDS and other != kind]
            if others:
                near = max(others, key=lambda key: likeness(stem(key), stem(use.text)))
                yield Mutation((use.replaced(near),))


OPERATOR = Operator(
    code="LAT-REF-TYP",
    family=REFERENCE_HYGIENE,
    tier=2,
    category="C17 reference / citation",
    summary="A reference leads to a label of another kind than the word before it says.",
    sites=sites,
    example=Example(
        r"\section{A}\label{sec:a}\begin{table}\caption{T}\label{tab:a}\end{table} Table~\ref{tab:a}",
        r"\section{A}\label{sec:a}\begin{table}\caption{T}\label{tab:a}\end{table} Table~\ref{sec:a}",
        r"\section{A}\label{sec:a}\begin{table}\caption{T}\label{tab:a}\end{table} what \ref{tab:a} says"
        "\n"
        r"\verb|Table~\ref{tab:a}| Table~\ref{sec:a} % Table~\ref{tab:a}",
    ),
    changes=("links", "text"),
)
