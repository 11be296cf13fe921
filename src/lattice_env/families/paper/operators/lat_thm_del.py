"""LAT-THM-DEL: a theorem environment that the paper uses is defined nowhere."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.preamble import Theorem, cut, theorems
from lattice_env.verifier.latex import environments


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every `\\newtheorem` in use, taken out, whose word and whose counter can be told from what remains.

    Those that own a counter that others share are left out: these would fail first.
    """
    found = [theorem for document in paper.tex for theorem in theorems(document)]
    used = {environment.name for document in paper.tex for environment in environments(document.code)}
    for document in paper.tex:
        for theorem in theorems(document):
            if theorem.name in used and _is_telling(theorem, found):
                yield Mutation((cut(document, theorem.start, theorem.end),))


def _is_telling(theorem: Theorem, found: list[Theorem]) -> bool:
    others = [other for other in found if other.name != theorem.name]
    alike = all(other.shared in (theorem.shared, "") for other in others)
    return theorem.word.lower() == theorem.name and alike and not any(o.shared == theorem.name for o in others)


OPERATOR = Operator(
    code="LAT-THM-DEL",
    family=BUILD_REPAIR,
    tier=3,
    category="C4 undefined control sequence",
    summary="A theorem environment that the paper uses is defined nowhere.",
    sites=sites,
    example=Example(
        "\\usepackage{amsthm}\n\\newtheorem{lemma}{Lemma}\n\\begin{document}\n\\begin{lemma}\\end{lemma}\n",
        "\\usepackage{amsthm}\n\\begin{document}\n\\begin{lemma}\\end{lemma}\n",
        (
            "\\usepackage{amsthm}\n\\newtheorem{lemma}{Lemma}\n% \\newtheorem{claim}{Claim}\n"
            "\\begin{document}\n% \\begin{lemma}\\end{lemma}\n"
        ),
    ),
    diagnostic=r"^LaTeX Error: Environment \S+ undefined",
)
