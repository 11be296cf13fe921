"""TEX-REF-UDF: a slip in the key of a reference or a citation, so that nothing defines it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.references import citations, references


def slips(key: str) -> Iterator[str]:
    """The key with one slip of the hand in its last word, the least visible first."""
    word = max(re.finditer(r"[A-Za-z]+", key), key=lambda match: match.end(), default=None)
    if word is None:
        return
    a, b = word.span()
    inner = sorted(range(a + 1, b - 1), key=lambda i: abs(2 * i - a - b))
    yield from (key[:i] + key[i + 1 :] for i in inner if key[i] != key[i - 1] and b - a > 3)  # noqa: PLR2004
    yield from (key[:i] + key[i + 1] + key[i] + key[i + 2 :] for i in inner if key[i] != key[i + 1])
    yield key[:b] + key[b - 1] + key[b:]


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every key of every reference and citation, with a slip that spells nothing else."""
    text = "\n".join(document.text for document in paper.documents)
    for document in paper.tex:
        for key in sorted([*references(document), *citations(document)], key=lambda key: key.start):
            slip = next((slip for slip in slips(key.text) if slip not in text), None)
            if slip:
                yield Mutation((key.replaced(slip),), (slip,))


OPERATOR = Operator(
    code="TEX-REF-UDF",
    family=REFERENCE_HYGIENE,
    tier=2,
    category="C17 reference / citation",
    summary="The key of a reference or a citation is misspelt.",
    sites=sites,
    example=Example(
        r"Figures~\cref{fig:curves,fig:x} of \citep[see][p.~2]{knuth1984}",
        r"Figures~\cref{fig:cures,fig:x} of \citep[see][p.~2]{knuth1984}",
        "\\verb|\\ref{fig:a}| \\label{fig:b} \\newcommand{\\f}{\\ref{fig:b}} % \\cite{knuth1984}\n",
    ),
    changes=("links", "citations", "text"),
)
