"""LAT-REF-RNM: a label has another name, and the references to it have kept the old one."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.references import renamed
from lattice_env.families.paper.uses import used_labels

_LONG = {
    "fig": "figure",
    "tab": "table",
    "sec": "section",
    "app": "appendix",
    "eq": "equation",
    "thm": "theorem",
    "lem": "lemma",
    "cor": "corollary",
    "prop": "proposition",
    "def": "definition",
    "alg": "algorithm",
    "lst": "listing",
    "ex": "example",
}
"""Prefixes of keys as somebody writes them out who tidies up; other keys get a number."""


def new_key(key: str) -> str:
    """The key in another way of naming labels."""
    prefix, colon, rest = key.partition(":")
    return f"{_LONG[prefix]}:{rest}" if colon and prefix in _LONG else f"{key}2"


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every label that is referred to, with a name that the paper does not have."""
    text = "\n".join(document.text for document in paper.documents)
    for label in used_labels(paper):
        key = new_key(label.key)
        if key not in text:
            yield Mutation((renamed(label, key),))


OPERATOR = Operator(
    code="LAT-REF-RNM",
    family=REFERENCE_HYGIENE,
    tier=1,
    category="C17 reference / citation",
    summary="A label is renamed, the references to it are not.",
    sites=sites,
    example=Example(
        r"\section{A}\label{sec:a} See \ref{sec:a}.",
        r"\section{A}\label{section:a} See \ref{sec:a}.",
        "\\section{A}\\label{sec:a} \\verb|\\ref{sec:a}| % \\ref{sec:a} \\label{sec:b}\n\\ref{sec:b}\n",
    ),
    changes=("labels", "links", "text"),
)
