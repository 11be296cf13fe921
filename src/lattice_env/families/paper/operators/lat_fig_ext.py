"""LAT-FIG-EXT: a figure has an extension that pdfTeX cannot read."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import GRAPHICS, body
from lattice_env.verifier.selftests import Replacement

FORMATS = ("svg", "tif", "bmp")
_KNOWN = re.compile(r".*\.(pdf|png|jpe?g)")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every figure that is included with its extension; the formats take turns."""
    turn = 0
    for document in paper.tex:
        for match in GRAPHICS.finditer(body(document)):
            name = _KNOWN.fullmatch(match[2])
            if name:
                start, wrong = match.start(2) + name.start(1), FORMATS[turn % len(FORMATS)]
                path, turn = match[2][: name.start(1)] + wrong, turn + 1
                yield Mutation((Replacement(document.path, start, match.end(2), wrong),), (path,))


OPERATOR = Operator(
    code="LAT-FIG-EXT",
    family=BUILD_REPAIR,
    tier=1,
    category="C9 engine / environment dependent feature",
    summary="A figure has an extension that pdfTeX cannot read.",
    sites=sites,
    example=Example(
        r"\includegraphics{figures/a.pdf}",
        r"\includegraphics{figures/a.svg}",
        r"% \includegraphics{a.pdf} \includegraphics{a} \verb|\includegraphics{a.png}|",
    ),
    diagnostic=r"Unknown graphics extension|Cannot determine size of graphic",
)
