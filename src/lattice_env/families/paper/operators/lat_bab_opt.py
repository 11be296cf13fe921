"""LAT-BAB-OPT: the language of the paper is misspelt."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.preamble import misspell, package_loads
from lattice_env.verifier.selftests import Replacement

TYPOS = {
    "english": "englsh",
    "british": "britsh",
    "american": "amercian",
    "UKenglish": "UKenglsh",
    "USenglish": "USenglsh",
    "ngerman": "ngermna",
    "german": "germna",
    "french": "frech",
    "spanish": "spansh",
    "italian": "itlaian",
    "portuguese": "portugese",
}


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every language among the options of babel."""
    for document in paper.tex:
        for load in package_loads(document):
            for key, start, end in load.option_keys() if load.names == ("babel",) else ():
                typo = misspell(key, TYPOS)
                if key.isalpha() and key in TYPOS:
                    yield Mutation((Replacement(document.path, start, end, typo),), (typo,))


OPERATOR = Operator(
    code="LAT-BAB-OPT",
    family=BUILD_REPAIR,
    tier=1,
    category="C5 package missing / conflict / order",
    summary="The language of the paper is misspelt.",
    sites=sites,
    example=Example(
        r"\usepackage[british]{babel}",
        r"\usepackage[britsh]{babel}",
        r"\usepackage{babel} % \usepackage[british]{babel}",
    ),
    diagnostic=r"^Package babel Error: Unknown option",
)
