"""LAT-PKG-MSP: the name of a package is misspelt."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import loads
from lattice_env.verifier.selftests import Replacement

TYPOS = {
    "algorithm": "algoritm",
    "amsmath": "amsmaht",
    "amssymb": "amsymb",
    "babel": "bable",
    "biblatex": "biblatx",
    "booktabs": "booktab",
    "cleveref": "cleverref",
    "csquotes": "csquote",
    "enumitem": "enumitm",
    "fontenc": "fontec",
    "geometry": "geomerty",
    "graphicx": "graphixc",
    "hyperref": "hyperef",
    "inputenc": "inputec",
    "longtable": "longtabel",
    "mathtools": "mathtool",
    "microtype": "microtpye",
    "multirow": "multirows",
    "natbib": "natbibb",
    "subcaption": "subcaptions",
}


def misspell(name: str) -> str:
    """The name with a slip that makes no other package: from the table, or two letters exchanged."""
    if name in TYPOS:
        return TYPOS[name]
    places = [i for i in range(1, len(name) - 1) if name[i] != name[i + 1]]
    return f"{name[: places[-1]]}{name[places[-1] + 1]}{name[places[-1]]}{name[places[-1] + 2 :]}" if places else name


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every package that the paper loads and whose name is long enough for a slip."""
    for document in paper.tex:
        for _, start, end, name in loads(document):
            typo = misspell(name)
            if typo != name:
                yield Mutation((Replacement(document.path, start, end, typo),), (typo,))


OPERATOR = Operator(
    code="LAT-PKG-MSP",
    family=BUILD_REPAIR,
    tier=1,
    category="C5 package missing / conflict / order",
    summary="The name of a package is misspelt.",
    sites=sites,
    example=Example(
        r"\usepackage{booktabs}", r"\usepackage{booktab}", r"% \usepackage{booktabs} \verb|\usepackage{a}|"
    ),
    diagnostic=r"^LaTeX Error: File `[^']+\.sty' not found",
)
