"""LAT-VRB-UNC: the character that ends a verbatim text is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.verifier.latex import commands
from lattice_env.verifier.selftests import Replacement

_LINE = re.compile(r"([^A-Za-z*\s])[^\n]*")


def sites(paper: Paper) -> Iterator[Mutation]:
    """The last character of every `\\verb` that its line does not hold again."""
    for document in paper.tex:
        for match in commands(body(document), "verb"):
            line = _LINE.match(document.text, match.end())
            if line and line[0].count(line[1]) == 2:  # noqa: PLR2004 - it opens and it closes
                place = line.start() + line[0].rindex(line[1])
                yield Mutation((Replacement(document.path, place, place + 1, ""),))


OPERATOR = Operator(
    code="LAT-VRB-UNC",
    family=BUILD_REPAIR,
    tier=1,
    category="C14 verbatim",
    summary="The character that ends a verbatim text is missing.",
    sites=sites,
    example=Example(r"the \verb|a_b| of", r"the \verb|a_b of", r"% \verb|a|"),
    diagnostic=r"^LaTeX Error: \\verb ended by end of line",
)
