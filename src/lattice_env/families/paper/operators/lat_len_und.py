"""LAT-LEN-UND: the name of a length is misspelt."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.preamble import misspell
from lattice_env.verifier.selftests import Replacement

TYPOS = {
    "belowcaptionskip": "belowcaptionskp",
    "abovecaptionskip": "abovecaptionskp",
    "bibsep": "bibspe",
    "tabcolsep": "tabcolsp",
    "parindent": "parident",
    "parskip": "parksip",
    "textwidth": "textwdith",
    "textheight": "textheigth",
    "itemsep": "itmesep",
    "arraycolsep": "arraycolsp",
}
_LENGTH = re.compile(r"\\(?:setlength|addtolength)\s*(?:\{\s*\\([A-Za-z]+)\s*\}|\\([A-Za-z]+))")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every length that is set or added to, in the preamble or behind it."""
    for document in paper.tex:
        for match in _LENGTH.finditer(document.code):
            place = match.span(1 if match[1] else 2)
            name = document.code[slice(*place)]
            typo = misspell(name, TYPOS)
            if typo != name:
                yield Mutation((Replacement(document.path, *place, typo),), (f"\\{typo}",))


OPERATOR = Operator(
    code="LAT-LEN-UND",
    family=BUILD_REPAIR,
    tier=1,
    category="C4 undefined control sequence",
    summary="The name of a length is misspelt.",
    sites=sites,
    example=Example(
        r"\setlength{\tabcolsep}{4pt}",
        r"\setlength{\tabcolsp}{4pt}",
        r"% \setlength{\tabcolsep}{4pt} \verb|\setlength{\parskip}{1pt}| \the\parskip",
    ),
    diagnostic=r"^Undefined control sequence",
)
