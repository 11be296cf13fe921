"""LAT-REF-EQR: an equation is referred to without its parentheses: `\\ref` for `\\eqref`."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.references import single_references
from lattice_env.verifier.selftests import Replacement

_COMMAND = r"\eqref"


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every reference in parentheses; a paper with one alone has no habit that would tell."""
    uses = [use for document in paper.tex for use in single_references(document) if use.command == "eqref"]
    for use in uses if len(uses) > 1 else ():
        start = use.span[0]
        yield Mutation((Replacement(use.path, start, start + len(_COMMAND), r"\ref"),))


OPERATOR = Operator(
    code="LAT-REF-EQR",
    family=REFERENCE_HYGIENE,
    tier=2,
    category="C17 reference / citation",
    summary="An equation is referred to without its parentheses.",
    sites=sites,
    example=Example(
        r"By~\eqref{eq:a} and~\eqref{eq:b}",
        r"By~\ref{eq:a} and~\eqref{eq:b}",
        "By~\\eqref{eq:a} and~\\ref{eq:b} \\verb|\\eqref{eq:a}| % \\eqref{eq:a}\n",
    ),
    changes=("text",),
)
