"""LAT-KEY-PGF: an option in a picture is misspelt."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.verifier.latex import Environment, environments
from lattice_env.verifier.selftests import Replacement

TYPOS = {
    "thick": "thcik",
    "very thick": "very thcik",
    "dashed": "dahsed",
    "dotted": "doted",
    "circle": "cricle",
    "rectangle": "rectangel",
    "draw": "darw",
    "fill": "fil",
    "font": "fnot",
    "align": "algin",
    "anchor": "anchro",
    "above": "abvoe",
    "below": "belwo",
    "left": "letf",
    "right": "rihgt",
    "midway": "midwya",
    "inner sep": "inner spe",
    "minimum size": "minimum szie",
    "minimum width": "minimum widht",
    "minimum height": "minimum heigth",
    "node distance": "node distanec",
    "rounded corners": "rounded corner",
    "xshift": "xshfit",
    "yshift": "yshfit",
}
_OPTIONS = re.compile(r"\[[^\[\]]*\]")
_KEY = re.compile(rf"(?<=[\[,{{])\s*({'|'.join(sorted(TYPOS, reverse=True))})\s*(?=[=,\]}}])")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every known key in brackets in a `tikzpicture`."""
    for document in paper.tex:
        code = body(document)
        for picture in environments(code):
            if picture.name == "tikzpicture":
                yield from _misspelt(document.path, code, picture)


def _misspelt(path: str, code: str, picture: Environment) -> Iterator[Mutation]:
    for options in _OPTIONS.finditer(code, picture.body, picture.body_end):
        for key in _KEY.finditer(code, options.start(), options.end()):
            typo = TYPOS[key[1]]
            yield Mutation((Replacement(path, key.start(1), key.end(1), typo),), (typo,))


OPERATOR = Operator(
    code="LAT-KEY-PGF",
    family=BUILD_REPAIR,
    tier=1,
    category="C7 missing or malformed argument",
    summary="An option in a picture is misspelt.",
    sites=sites,
    example=Example(
        r"\begin{tikzpicture}\draw[thick] (0,0) -- (1,0);\end{tikzpicture}",
        r"\begin{tikzpicture}\draw[thcik] (0,0) -- (1,0);\end{tikzpicture}",
        "\\begin{tikzpicture}% \\draw[thick]\n\\node {thick, [x]};\\end{tikzpicture} \\cite[above]{a}",
    ),
    diagnostic=r"^Package pgfkeys Error: I do not know the key",
)
