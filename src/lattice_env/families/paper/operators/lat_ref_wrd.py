"""LAT-REF-WRD: the word before a reference names another kind of thing than the reference leads to."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.families.paper.references import kinds, single_references
from lattice_env.verifier.selftests import Replacement

_REACH = 40
_WRONG = {
    "figure": {"Figure": "Table", "Figures": "Tables", "Fig.": "Tab.", "Figs.": "Tabs."},
    "table": {"Table": "Figure", "Tables": "Figures", "Tab.": "Fig.", "Tabs.": "Figs."},
    "section": {"Section": "Chapter", "Sections": "Chapters", "Sec.": "Chap.", "Secs.": "Chaps."},
    "theorem": {"Theorem": "Lemma", "Theorems": "Lemmas"},
    "lemma": {"Lemma": "Theorem", "Lemmas": "Theorems"},
    "proposition": {"Proposition": "Lemma", "Propositions": "Lemmas"},
    "corollary": {"Corollary": "Theorem", "Corollaries": "Theorems"},
    "definition": {"Definition": "Lemma", "Definitions": "Lemmas"},
    "algorithm": {"Algorithm": "Figure", "Algorithms": "Figures"},
}
"""For each kind, what it is called, and what somebody in haste calls it, as in an older draft or a thesis."""
_WORD = re.compile(r"(?<![A-Za-z\\])([A-Za-z]+\.?)(?:~|\s|\\[ ,])*\Z")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every single reference behind the right word for what it leads to."""
    kind_of = kinds(paper)
    for document in paper.tex:
        for use in single_references(document):
            start = max(0, use.span[0] - _REACH)
            word = _WORD.search(body(document)[start : use.span[0]])
            wrong = _WRONG.get(kind_of.get(use.text, ""), {}).get(word[1].capitalize()) if word else None
            if word and wrong and use.command == "ref":
                cased = wrong if word[1][0].isupper() else wrong.lower()
                yield Mutation((Replacement(document.path, start + word.start(1), start + word.end(1), cased),))


OPERATOR = Operator(
    code="LAT-REF-WRD",
    family=REFERENCE_HYGIENE,
    tier=2,
    category="C17 reference / citation",
    summary="The word before a right reference names another kind of thing.",
    sites=sites,
    example=Example(
        r"\begin{table}\caption{T}\label{tab:a}\end{table} In Table~\ref{tab:a} or table \ref{tab:a}",
        r"\begin{table}\caption{T}\label{tab:a}\end{table} In Figure~\ref{tab:a} or table \ref{tab:a}",
        "\\begin{table}\\caption{T}\\label{tab:a}\\end{table} as \\ref{tab:a} says, Figure~\\ref{tab:a},\n"
        "\\verb|Table~\\ref{tab:a}|, Table~\\ref{tab:b} % Table~\\ref{tab:a}\n",
    ),
    changes=("text",),
)
