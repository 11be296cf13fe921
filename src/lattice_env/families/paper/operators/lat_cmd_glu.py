"""LAT-CMD-GLU: the space between a command and the word behind it is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.command_names import is_free
from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.verifier.selftests import Replacement

_GAP = re.compile(r"\\(?!foreach)([A-Za-z]+)( +)([A-Za-z]+)")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every space behind a command that only separates it from a letter; TeX must not know what they make together."""
    for document in paper.tex:
        for match in _GAP.finditer(body(document)):
            joined = match[1] + match[3]
            if is_free(joined, paper):
                yield Mutation((Replacement(document.path, *match.span(2), ""),), (f"\\{joined}",))


OPERATOR = Operator(
    code="LAT-CMD-GLU",
    family=BUILD_REPAIR,
    tier=1,
    category="C4 undefined control sequence",
    summary="The space between a command and the word behind it is missing.",
    sites=sites,
    example=Example(
        r"$x \in f$ and \item One", r"$x \in f$ and \itemOne", r"% \item One \verb|\item One| $\in f$ \item[a] b"
    ),
    diagnostic=r"^Undefined control sequence",
)
