"""LAT-BIB-CAS: a citation writes a key with another letter in capitals than the others do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from lattice_env.families.paper.bibliography import uses_biber
from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.references import citations


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every citation of a key that is cited more than once; none in a paper with biber, for which keys differ."""
    if uses_biber(paper):
        return
    count = Counter(key.text for document in paper.tex for key in citations(document))
    for document in paper.tex:
        for key in citations(document):
            if count[key.text] > 1 and (typo := recase(key.text)) != key.text:
                yield Mutation((key.replaced(typo),), (typo,))


def recase(key: str) -> str:
    """The key with its first letter in the other case."""
    return key[:1].swapcase() + key[1:]


OPERATOR = Operator(
    code="LAT-BIB-CAS",
    family=BUILD_REPAIR,
    tier=2,
    category="C17 reference / citation",
    summary="A citation writes a key with another letter in capitals than the others do.",
    sites=sites,
    example=Example(
        r"\cite{knuth} and \cite{knuth,lamport}",
        r"\cite{Knuth} and \cite{knuth,lamport}",
        r"% \cite{a} \cite{a} \verb|\cite{a}| \cite{b}",
    ),
    diagnostic=r"^Case mismatch error between cite keys",
)
