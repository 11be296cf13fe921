"""LAT-CLS-MSP: the name of the class is misspelt."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.preamble import CLASS, misspell
from lattice_env.verifier.selftests import Replacement

TYPOS = {
    "article": "artcle",
    "report": "reprot",
    "book": "bok",
    "scrartcl": "scrartlc",
    "amsart": "amsatr",
    "IEEEtran": "IEEtran",
    "llncs": "lncs",
    "elsarticle": "elsartcle",
    "revtex4-2": "revtex4.2",
    "acmart": "amcart",
}


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every `\\documentclass` whose name is long enough for a slip."""
    for document in paper.tex:
        for match in CLASS.finditer(document.code):
            typo = misspell(match[2], TYPOS)
            if typo != match[2]:
                yield Mutation((Replacement(document.path, *match.span(2), typo),), (typo,))


OPERATOR = Operator(
    code="LAT-CLS-MSP",
    family=BUILD_REPAIR,
    tier=1,
    category="C6 class / preamble",
    summary="The name of the class is misspelt.",
    sites=sites,
    example=Example(
        r"\documentclass[a4paper]{article}",
        r"\documentclass[a4paper]{artcle}",
        r"% \documentclass{article} \verb|\documentclass{article}|",
    ),
    diagnostic=r"^LaTeX Error: File `[^']+\.cls' not found",
)
