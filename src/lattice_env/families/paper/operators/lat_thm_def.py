"""LAT-THM-DEF: a theorem environment is defined under the name of the one before it."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.preamble import Theorem, theorems
from lattice_env.verifier.selftests import Replacement


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every `\\newtheorem` but the first, with the name of the one before it."""
    for document in paper.tex:
        before: Theorem | None = None
        for theorem in theorems(document):
            if before and before.name != theorem.name:
                end = theorem.name_start + len(theorem.name)
                yield Mutation((Replacement(document.path, theorem.name_start, end, before.name),))
            before = theorem


OPERATOR = Operator(
    code="LAT-THM-DEF",
    family=BUILD_REPAIR,
    tier=2,
    category="C6 class / preamble",
    summary="A theorem environment is defined under the name of the one before it.",
    sites=sites,
    example=Example(
        "\\usepackage{amsthm}\n\\newtheorem{theorem}{Theorem}\n\\newtheorem{lemma}[theorem]{Lemma}\n",
        "\\usepackage{amsthm}\n\\newtheorem{theorem}{Theorem}\n\\newtheorem{theorem}[theorem]{Lemma}\n",
        "\\usepackage{amsthm}\n\\newtheorem{theorem}{Theorem}\n% \\newtheorem{lemma}[theorem]{Lemma}\n",
    ),
    diagnostic=r"^LaTeX Error: Command \\\S+ already defined",
)
