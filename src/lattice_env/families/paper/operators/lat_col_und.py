"""LAT-COL-UND: the name of a colour is misspelt."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import blank, definitions
from lattice_env.families.paper.preamble import misspell
from lattice_env.verifier.latex import Document
from lattice_env.verifier.selftests import Replacement

TYPOS = {
    "red": "rde",
    "blue": "bleu",
    "green": "gren",
    "black": "balck",
    "white": "whtie",
    "gray": "grya",
    "grey": "gery",
    "orange": "ornage",
    "purple": "purpel",
    "yellow": "yelow",
    "accent": "acent",
}
_USE = re.compile(r"\\(?:textcolor|color|colorbox|pagecolor|rowcolor|cellcolor|columncolor)\s*\{\s*([A-Za-z]+)")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every colour that is used by its name outside of definitions."""
    for document in paper.tex:
        for match in _USE.finditer(_code(document)):
            typo = misspell(match[1], TYPOS)
            if typo != match[1]:
                yield Mutation((Replacement(document.path, *match.span(1), typo),), (typo,))


def _code(document: Document) -> str:
    return blank(document.code, definitions(document.code))


OPERATOR = Operator(
    code="LAT-COL-UND",
    family=BUILD_REPAIR,
    tier=1,
    category="C7 missing or malformed argument",
    summary="The name of a colour is misspelt.",
    sites=sites,
    example=Example(
        r"\textcolor{blue}{x}",
        r"\textcolor{bleu}{x}",
        r"% \textcolor{blue}{x} \newcommand{\x}{\color{red}} \textcolor[rgb]{0,0,1}{x}",
    ),
    diagnostic=r"^(?:Package xcolor|LaTeX) Error: Undefined color `",
)
