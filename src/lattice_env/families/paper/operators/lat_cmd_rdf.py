"""LAT-CMD-RDF: a new command is defined as if it were there already."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.preamble import macros
from lattice_env.verifier.selftests import Replacement

KNOWN = {"\\vec", "\\emph", "\\arraystretch", "\\today", "\\theHalgorithm", "\\qed", "\\proofname", "\\refname"}
"""Names that something else may define."""


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every `\\newcommand` of a preamble whose name is the paper's own."""
    for document in paper.tex:
        for macro in macros(document):
            if macro.command == "newcommand" and macro.name not in KNOWN:
                start = macro.start + 1
                yield Mutation((Replacement(document.path, start, start + len("new"), "renew"),))


OPERATOR = Operator(
    code="LAT-CMD-RDF",
    family=BUILD_REPAIR,
    tier=1,
    category="C6 class / preamble",
    summary="A new command is defined as if it were there already.",
    sites=sites,
    example=Example(
        "\\newcommand{\\R}{\\mathbb{R}}\n\\usepackage{amsmath}\n",
        "\\renewcommand{\\R}{\\mathbb{R}}\n\\usepackage{amsmath}\n",
        (
            "\\usepackage{amsmath}\n% \\newcommand{\\R}{\\mathbb{R}}\n\\renewcommand{\\arraystretch}{1.2}\n"
            "\\begin{document}\n"
        ),
    ),
    diagnostic=r"^LaTeX Error: Command \\\S+ undefined",
)
