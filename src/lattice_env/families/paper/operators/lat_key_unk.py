"""LAT-KEY-UNK: an option of a figure is misspelt."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import GRAPHICS, body
from lattice_env.verifier.selftests import Replacement

TYPOS = {
    "width": "widht",
    "height": "heigth",
    "totalheight": "totalheigth",
    "scale": "sclae",
    "angle": "angel",
    "trim": "trimm",
    "clip": "clipp",
    "page": "pgae",
    "viewport": "viewprot",
    "keepaspectratio": "keepaspectration",
}
_KEY = re.compile(rf"(?:(?<=,)|\A)\s*({'|'.join(TYPOS)})\s*(?=[=,]|\Z)")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every known key in the options of a live `\\includegraphics`."""
    for document in paper.tex:
        for match in GRAPHICS.finditer(body(document)):
            for key in _KEY.finditer(match[1] or ""):
                start, typo = match.start(1) + key.start(1), TYPOS[key[1]]
                yield Mutation((Replacement(document.path, start, start + len(key[1]), typo),), (typo,))


OPERATOR = Operator(
    code="LAT-KEY-UNK",
    family=BUILD_REPAIR,
    tier=1,
    category="C7 missing or malformed argument",
    summary="An option of a figure is misspelt.",
    sites=sites,
    example=Example(
        r"\includegraphics[width=\linewidth]{a}",
        r"\includegraphics[widht=\linewidth]{a}",
        r"% \includegraphics[width=1cm]{a} \includegraphics{width}",
    ),
    diagnostic=r"^Package keyval Error: \w+ undefined",
)
