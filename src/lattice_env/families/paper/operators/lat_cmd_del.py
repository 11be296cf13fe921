"""LAT-CMD-DEL: a command that the paper uses is defined nowhere."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.preamble import Macro, cut, is_used, macros
from lattice_env.verifier.latex import Document

_SILENT = re.compile(r"\\[A-Za-z@]+|#\d|[^A-Za-z0-9]")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every definition of a command in use, taken out, where the name tells what it prints.

    Others, `\\newcommand{\\offtree}{q}`, could only be guessed.
    """
    for document in paper.tex:
        for macro in macros(document):
            if macro.command != "renewcommand" and is_used(paper, macro) and _is_telling(document, macro):
                yield Mutation((cut(document, macro.start, macro.end),))


def _is_telling(document: Document, macro: Macro) -> bool:
    """Whether the name holds all letters that the command prints by itself."""
    printed = _SILENT.sub("", document.code[macro.body_start : macro.end])
    return printed.lower() in macro.name.lower()


OPERATOR = Operator(
    code="LAT-CMD-DEL",
    family=BUILD_REPAIR,
    tier=3,
    category="C4 undefined control sequence",
    summary="A command that the paper uses is defined nowhere.",
    sites=sites,
    example=Example(
        "\\usepackage{amsmath}\n\\newcommand{\\norm}[1]{\\lVert #1 \\rVert}\n\\begin{document}\n$\\norm{x}$\n",
        "\\usepackage{amsmath}\n\\begin{document}\n$\\norm{x}$\n",
        (
            "\\newcommand{\\norm}[1]{\\lVert #1 \\rVert}\n\\newcommand{\\gap}{q}\n% \\newcommand{\\R}{R}\n"
            "\\begin{document}\n\\gap % \\norm{x}\n"
        ),
    ),
    diagnostic=r"^Undefined control sequence",
)
