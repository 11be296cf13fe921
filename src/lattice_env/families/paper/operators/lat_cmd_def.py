"""LAT-CMD-DEF: a command of the paper is defined under the name of the one before it."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.preamble import Macro, macros
from lattice_env.verifier.selftests import Replacement


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every definition that would fail for a name in use, but the first, with the name of the one before it."""
    for document in paper.tex:
        before: Macro | None = None
        for macro in macros(document):
            if before and before.name != macro.name and macro.command in ("newcommand", "DeclareMathOperator"):
                end = macro.name_start + len(macro.name)
                yield Mutation((Replacement(document.path, macro.name_start, end, before.name),))
            before = macro


OPERATOR = Operator(
    code="LAT-CMD-DEF",
    family=BUILD_REPAIR,
    tier=2,
    category="C6 class / preamble",
    summary="A command is defined under the name of the one before it.",
    sites=sites,
    example=Example(
        "\\newcommand{\\R}{\\mathbb{R}}\n\\newcommand{\\N}{\\mathbb{N}}\n\\begin{document}\n",
        "\\newcommand{\\R}{\\mathbb{R}}\n\\newcommand{\\R}{\\mathbb{N}}\n\\begin{document}\n",
        (
            "\\documentclass{article}\n\\newcommand{\\R}{\\mathbb{R}}\n% \\newcommand{\\N}{\\mathbb{N}}\n"
            "\\begin{document}\n\\verb|\\newcommand{\\N}{N}|\n"
        ),
    ),
    diagnostic=r"^LaTeX Error: Command \\\S+ already defined",
)
