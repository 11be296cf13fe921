"""LAT-CTR-UND: the name of a counter is misspelt."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.preamble import misspell
from lattice_env.verifier.selftests import Replacement

TYPOS = {
    "tocdepth": "tocdept",
    "secnumdepth": "secnumdeph",
    "figure": "figrue",
    "table": "tabel",
    "equation": "equaton",
    "section": "secton",
    "footnote": "footnoe",
    "page": "pgae",
}
_COUNTER = re.compile(r"\\(?:(?:set|addto|step|refstep)counter|counterwithin\*?|numberwithin)\s*\{([A-Za-z]+)\}")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every counter that is set, stepped or bound, in the preamble or behind it."""
    for document in paper.tex:
        for match in _COUNTER.finditer(document.code):
            typo = misspell(match[1], TYPOS)
            if typo != match[1]:
                yield Mutation((Replacement(document.path, *match.span(1), typo),), (typo,))


OPERATOR = Operator(
    code="LAT-CTR-UND",
    family=BUILD_REPAIR,
    tier=1,
    category="C7 missing or malformed argument",
    summary="The name of a counter is misspelt.",
    sites=sites,
    example=Example(
        r"\setcounter{tocdepth}{2}",
        r"\setcounter{tocdept}{2}",
        r"% \setcounter{tocdepth}{2} \verb|\setcounter{page}{1}|",
    ),
    diagnostic=r"^LaTeX Error: No counter '[^']+' defined",
)
