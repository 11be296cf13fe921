"""LAT-BRC-XTR: a closing brace is there twice."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import groups, text_of
from lattice_env.verifier.selftests import Replacement

_FOLLOWED = re.compile(r"\}\s*(?:[{}\[\]&]|\\\\)")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every closing brace of running text that closes the outermost group and behind which no argument follows."""
    for document in paper.tex:
        code = text_of(document)
        last = 0
        for start, end in sorted(groups(code)):
            if start >= last:
                last = end
                if not _FOLLOWED.match(code, end):
                    yield Mutation((Replacement(document.path, end + 1, end + 1, "}"),))


OPERATOR = Operator(
    code="LAT-BRC-XTR",
    family=BUILD_REPAIR,
    tier=1,
    category="C1 unbalanced group / brace",
    summary="A closing brace is there twice.",
    sites=sites,
    example=Example(
        r"An \emph{odd \textbf{one}} here",
        r"An \emph{odd \textbf{one}}} here",
        r"% \emph{a} \verb|\emph{b}| $\frac{1}{2}$ \} \begin{x}",
    ),
    diagnostic=r"^Too many \}'s|^Extra \}, or forgotten",
)
