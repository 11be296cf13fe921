"""LAT-COL-DEF: the model of a colour is misspelt."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.verifier.selftests import Replacement

MODELS = {"RGB": "RBG", "rgb": "rbg", "HTML": "HMTL", "cmyk": "cmky", "gray": "grya", "hsb": "hbs", "HSB": "HBS"}
_MODEL = re.compile(r"\\(?:definecolor\s*\{[^{}]*\}\s*\{|(?:text)?color\s*\[)\s*([A-Za-z]+)\s*[\]}]")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every known model in a definition or a use of a colour."""
    for document in paper.tex:
        for match in _MODEL.finditer(document.code):
            if match[1] in MODELS:
                typo = MODELS[match[1]]
                yield Mutation((Replacement(document.path, *match.span(1), typo),), (typo,))


OPERATOR = Operator(
    code="LAT-COL-DEF",
    family=BUILD_REPAIR,
    tier=1,
    category="C7 missing or malformed argument",
    summary="The model of a colour is misspelt.",
    sites=sites,
    example=Example(
        r"\definecolor{accent}{RGB}{0,60,120}",
        r"\definecolor{accent}{RBG}{0,60,120}",
        r"% \definecolor{a}{RGB}{0,0,0} \textcolor{rgb}{x}",
    ),
    diagnostic=r"^(?:Package xcolor|LaTeX) Error: Undefined color model",
)
