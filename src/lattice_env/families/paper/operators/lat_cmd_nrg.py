"""LAT-CMD-NRG: a command with arguments is defined without their number."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.preamble import macros
from lattice_env.verifier.selftests import Replacement


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every definition that uses its arguments, without the brackets that count them.

    Where there is a default for the first, its brackets would be read as the number: such are left out.
    """
    for document in paper.tex:
        for macro in macros(document):
            start, end = macro.count_span
            used = "#" in document.code[macro.body_start : macro.end]
            if macro.count and used and document.code[end : macro.body_start].strip() == "{":
                yield Mutation((Replacement(document.path, start, end, ""),))


OPERATOR = Operator(
    code="LAT-CMD-NRG",
    family=BUILD_REPAIR,
    tier=1,
    category="C7 missing or malformed argument",
    summary="A command with arguments is defined without their number.",
    sites=sites,
    example=Example(
        "\\usepackage{a}\n\\newcommand{\\file}[1]{\\texttt{#1}}\n",
        "\\usepackage{a}\n\\newcommand{\\file}{\\texttt{#1}}\n",
        (
            "\\usepackage{a}\n% \\newcommand{\\file}[1]{\\texttt{#1}}\n\\newcommand{\\b}{b}\n"
            "\\newcommand{\\c}[2][x]{#1#2}\n"
        ),
    ),
    diagnostic=r"^Illegal parameter number in definition of",
)
