"""LAT-PAR-END: the closing brace of a title, a caption or an emphasis is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body, groups
from lattice_env.verifier.selftests import Replacement

_COMMAND = re.compile(
    r"\\(?:text(?:bf|it|tt|sf|sc|sl|rm|md|up)|emph|(?:sub){0,2}section|paragraph|chapter|caption)\*?(?:\[[^\[\]]*\])?$"
)
_OPTION = 120
"""Characters in front of a brace in which its command is looked for."""


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every closing brace of such a command that stands in no other group."""
    for document in paper.tex:
        code = body(document)
        last = 0
        for start, end in sorted(groups(code)):
            if start >= last:
                last = end
                if _COMMAND.search(code, max(start - _OPTION, 0), start):
                    yield Mutation((Replacement(document.path, end, end + 1, ""),))


OPERATOR = Operator(
    code="LAT-PAR-END",
    family=BUILD_REPAIR,
    tier=2,
    category="C1 unbalanced group / brace",
    summary="The closing brace of a title, a caption or an emphasis is missing.",
    sites=sites,
    example=Example(
        r"\section{An \emph{odd} one} It",
        r"\section{An \emph{odd} one It",
        r"% \section{A} \verb|\emph{b}| \label{c} {\it d}",
    ),
    diagnostic=r"^File ended while scanning use of \\(?:text\w+|emph|\w*@xdblarg|@s?sect|@dblarg)\b",
)
