"""LAT-ENV-UND: both ends of one environment carry the same misspelt name."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import misspellable
from lattice_env.verifier.selftests import Replacement


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every environment of the body."""
    for document, environment, typo in misspellable(paper):
        size, ends = len(environment.name), (environment.body - 1, environment.end - 1)
        edits = (Replacement(document.path, end - size, end, typo) for end in ends)
        yield Mutation(tuple(edits), (typo,))


OPERATOR = Operator(
    code="LAT-ENV-UND",
    family=BUILD_REPAIR,
    tier=1,
    category="C2 environment mismatch / unclosed / unknown",
    summary="Both ends of an environment carry the same misspelt name.",
    sites=sites,
    example=Example(
        "\\begin{itemize}\n\\item a\n\\end{itemize}\n",
        "\\begin{itemise}\n\\item a\n\\end{itemise}\n",
        "\\begin{verbatim}\n\\begin{itemize}\\end{itemize}\n\\end{verbatim}\n% \\begin{center}\\end{center}\n",
    ),
    diagnostic=r"Environment \S+ undefined",
)
