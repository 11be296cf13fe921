"""LAT-PKG-KVO: a key in the settings of a package is misspelt."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.preamble import keys_of, misspell, package_loads, preamble
from lattice_env.verifier.latex import Document, commands, group_end
from lattice_env.verifier.selftests import Replacement

PACKAGES = {"geometry", "hyperref", "caption", "subcaption", "csquotes", "biblatex", "microtype", "enumitem"}
COMMANDS = r"lstset|sisetup|hypersetup|captionsetup|geometry"
TYPOS = {
    "margin": "margn",
    "hmargin": "hmargn",
    "vmargin": "vmargn",
    "hidelinks": "hidelink",
    "colorlinks": "colorlink",
    "basicstyle": "basicstlye",
    "columns": "colums",
    "keepspaces": "keepspace",
    "xleftmargin": "xleftmargn",
    "tableposition": "tablepositon",
    "autostyle": "autostlye",
    "backend": "backedn",
    "style": "stlye",
    "maxbibnames": "maxbibname",
    "dashed": "dahsed",
    "language": "languge",
    "per-mode": "per-mod",
}
_SHORT = 4
"""Shorter keys are left alone."""


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every key in the options of such a package or in the argument of such a command, in a preamble."""
    for document in paper.tex:
        for key, start, end in sorted([*_options(document), *_settings(document)], key=lambda found: found[1]):
            typo = misspell(key, TYPOS)
            if len(key) > _SHORT and key.replace("-", "").isalpha() and typo != key:
                yield Mutation((Replacement(document.path, start, end, typo),), (typo,))


def _options(document: Document) -> Iterator[tuple[str, int, int]]:
    for load in package_loads(document):
        if len(load.names) == 1 and load.name in PACKAGES:
            yield from load.option_keys()


def _settings(document: Document) -> Iterator[tuple[str, int, int]]:
    code = preamble(document)
    for match in commands(code, COMMANDS):
        brace = re.compile(r"\s*\{").match(code, match.end())
        end = group_end(code, brace.end() - 1) if brace else None
        if brace and end:
            yield from keys_of(code[brace.end() : end - 1], brace.end())


OPERATOR = Operator(
    code="LAT-PKG-KVO",
    family=BUILD_REPAIR,
    tier=2,
    category="C5 package missing / conflict / order",
    summary="A key in the settings of a package is misspelt.",
    sites=sites,
    example=Example(
        r"\usepackage[hidelinks]{hyperref}",
        r"\usepackage[hidelink]{hyperref}",
        (
            "% \\usepackage[hidelinks]{hyperref}\n\\usepackage[round]{natbib}\n\\usepackage{geometry}\n"
            "\\verb|\\lstset{columns=flexible}|\n"
        ),
    ),
    diagnostic=(
        r"^Package keyval Error: \S+ undefined|^Package caption Error: \S+ undefined"
        r"|^Package kvsetkeys Error: Undefined key|^LaTeX Error: The key '[^']+' is unknown"
    ),
)
