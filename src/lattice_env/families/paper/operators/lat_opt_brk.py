"""LAT-OPT-BRK: the bracket that closes an option is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.verifier.selftests import Replacement

_OPTION = re.compile(
    r"\\(?:includegraphics|begin\s*\{(?:figure|table|algorithm|wrapfigure)\*?\}|cite[tp]?|sqrt|(?:sub)*section|caption)"
    r"\*?\s*\[[^\[\]{}$]*(\])(?!\s*\[)"
)


def sites(paper: Paper) -> Iterator[Mutation]:
    """The closing bracket of every option of a figure, a float, a citation, a root or a title."""
    for document in paper.tex:
        for match in _OPTION.finditer(body(document)):
            yield Mutation((Replacement(document.path, *match.span(1), ""),))


OPERATOR = Operator(
    code="LAT-OPT-BRK",
    family=BUILD_REPAIR,
    tier=2,
    category="C7 missing or malformed argument",
    summary="The bracket that closes an option is missing.",
    sites=sites,
    example=Example(
        r"\includegraphics[width=1cm]{a}",
        r"\includegraphics[width=1cm{a}",
        r"% \includegraphics[width=1cm]{a} \verb|\cite[a]{b}| [a]",
    ),
    diagnostic=(
        r"^(?:Paragraph ended before|File ended while scanning use of) \\|^LaTeX Error: Unknown float option"
        r"|^Missing \\endcsname inserted"
    ),
)
