"""LAT-CMD-ARN: a definition uses an argument that its command does not take."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.preamble import macros
from lattice_env.verifier.selftests import Replacement

_LAST = 9


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every use of an argument in a definition, with the number that follows the highest one."""
    for document in paper.tex:
        for macro in macros(document):
            for match in re.compile(r"(?<![#\\])#(\d)").finditer(document.code, macro.body_start, macro.end):
                if 0 < macro.count < _LAST:
                    yield Mutation((Replacement(document.path, *match.span(1), str(macro.count + 1)),))


OPERATOR = Operator(
    code="LAT-CMD-ARN",
    family=BUILD_REPAIR,
    tier=2,
    category="C7 missing or malformed argument",
    summary="A definition uses an argument that its command does not take.",
    sites=sites,
    example=Example(
        "\\usepackage{a}\n\\newcommand{\\file}[1]{\\texttt{#1}}\n",
        "\\usepackage{a}\n\\newcommand{\\file}[1]{\\texttt{#2}}\n",
        "\\usepackage{a}\n% \\newcommand{\\file}[1]{\\texttt{#1}}\n\\newcommand{\\b}{\\#1}\n",
    ),
    diagnostic=r"^Illegal parameter number in definition of",
)
