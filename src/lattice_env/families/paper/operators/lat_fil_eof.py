"""LAT-FIL-EOF: the closing brace of a footnote is missing."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.verifier.latex import commands, group_end
from lattice_env.verifier.selftests import Replacement


def sites(paper: Paper) -> Iterator[Mutation]:
    """The closing brace of every footnote."""
    for document in paper.tex:
        code = body(document)
        for match in commands(code, "footnote|footnotetext|thanks"):
            start = match.end()
            end = group_end(code, start) if code.startswith("{", start) else None
            if end is not None:
                yield Mutation((Replacement(document.path, end - 1, end, ""),))


OPERATOR = Operator(
    code="LAT-FIL-EOF",
    family=BUILD_REPAIR,
    tier=2,
    category="C1 unbalanced group / brace",
    summary="The closing brace of a footnote is missing.",
    sites=sites,
    example=Example(
        r"A\footnote{An \emph{odd} one.} is",
        r"A\footnote{An \emph{odd} one. is",
        r"% \footnote{A} \verb|\footnote{b}| \footnotesize{c}",
    ),
    diagnostic=r"^File ended while scanning use of \\\w*@?(?:foot|thanks)\w*",
)
