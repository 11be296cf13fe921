"""LAT-REF-PAG: the number of a thing stands for that of its page: `\\ref` for `\\pageref`."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.references import references
from lattice_env.verifier.selftests import Replacement

_COMMAND = r"\pageref"


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every reference to a page."""
    for document in paper.tex:
        for use in references(document):
            if use.command == "pageref":
                start = use.span[0]
                yield Mutation((Replacement(document.path, start, start + len(_COMMAND), r"\ref"),))


OPERATOR = Operator(
    code="LAT-REF-PAG",
    family=REFERENCE_HYGIENE,
    tier=2,
    category="C17 reference / citation",
    summary="A reference to a page gives the number of what is on it.",
    sites=sites,
    example=Example(
        r"Table~\ref{tab:a} on page~\pageref{tab:a}",
        r"Table~\ref{tab:a} on page~\ref{tab:a}",
        "page~\\ref{tab:a} \\verb|\\pageref{tab:a}| % \\pageref{tab:a}\n",
    ),
    changes=("text",),
)
