"""LAT-CIT-CMD: a citation that is part of a sentence has lost its author."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.references import citations
from lattice_env.verifier.selftests import Replacement

_WRONG = {"citet": "citep", "Citet": "Citep", "textcite": "parencite", "Textcite": "Parencite"}


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every citation that names its author in the sentence."""
    for document in paper.tex:
        for start, command in dict.fromkeys((key.span[0], key.command) for key in citations(document)):
            if command in _WRONG:
                end = start + 1 + len(command)
                yield Mutation((Replacement(document.path, start + 1, end, _WRONG[command]),))


OPERATOR = Operator(
    code="LAT-CIT-CMD",
    family=REFERENCE_HYGIENE,
    tier=2,
    category="C17 reference / citation",
    summary="A citation in the text is put into parentheses.",
    sites=sites,
    example=Example(
        r"\citet[p.~3]{a,b} showed this.",
        r"\citep[p.~3]{a,b} showed this.",
        "\\citep{a} \\cite{a} \\verb|\\citet{a}| % \\citet{a}\n",
    ),
    changes=("text",),
)
