"""LAT-ENC-FNT: the encoding of the fonts is misspelt."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.preamble import package_loads
from lattice_env.verifier.selftests import Replacement

TYPOS = {"T1": ("TI", "T11"), "OT1": ("0T1", "OTI"), "TS1": ("TSI",), "T2A": ("TA2",), "LGR": ("LRG",)}


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every known encoding among the options of fontenc, with each slip."""
    for document in paper.tex:
        for load in package_loads(document):
            for key, start, end in load.option_keys() if load.names == ("fontenc",) else ():
                for typo in TYPOS.get(key, ()):
                    yield Mutation((Replacement(document.path, start, end, typo),), (typo,))


OPERATOR = Operator(
    code="LAT-ENC-FNT",
    family=BUILD_REPAIR,
    tier=1,
    category="C9 engine / environment dependent feature",
    summary="The encoding of the fonts is misspelt.",
    sites=sites,
    example=Example(
        r"\usepackage[T1]{fontenc}",
        r"\usepackage[TI]{fontenc}",
        r"% \usepackage[T1]{fontenc} \usepackage[T1]{other}",
    ),
    diagnostic=r"^Package fontenc Error: Encoding file",
)
