"""TEX-ENV-REN: the name in an `\\end` is misspelt."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import misspellable
from lattice_env.verifier.selftests import Replacement


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every `\\end` of the body, in the order of the `\\begin`."""
    for document, environment, typo in misspellable(paper):
        end = environment.end - 1
        yield Mutation((Replacement(document.path, end - len(environment.name), end, typo),), (typo,))


OPERATOR = Operator(
    code="TEX-ENV-REN",
    family=BUILD_REPAIR,
    tier=1,
    category="C2 environment mismatch / unclosed / unknown",
    summary="The name in an \\end is misspelt.",
    sites=sites,
    example=Example(
        "\\begin{center}\na\n\\end{center}\n",
        "\\begin{center}\na\n\\end{centre}\n",
        "\\begin{verbatim}\n\\end{center}\n\\end{verbatim}\n% \\begin{center}\\end{center}\n",
    ),
    diagnostic=r"ended by \\end\{",
)
