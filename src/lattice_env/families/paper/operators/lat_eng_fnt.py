"""LAT-ENG-FNT: a package is loaded that needs another engine than pdfLaTeX."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.preamble import hosts, loaded

BESIDE = {
    "lmodern": "fontspec",
    "microtype": "fontspec",
    "amssymb": "unicode-math",
    "amsmath": "unicode-math",
    "graphicx": "fontspec",
    "csquotes": "polyglossia",
}
"""Where a package for XeTeX or LuaTeX belongs."""


def sites(paper: Paper) -> Iterator[Mutation]:
    """Each such package, named beside the first one that it goes with."""
    names = set(loaded(paper))
    for load in hosts(paper):
        added = BESIDE.get(load.name, "")
        if added and added not in names:
            names.add(added)
            yield Mutation((load.joined(added),))


OPERATOR = Operator(
    code="LAT-ENG-FNT",
    family=BUILD_REPAIR,
    tier=2,
    category="C9 engine / environment dependent feature",
    summary="A package is loaded that needs another engine than pdfLaTeX.",
    sites=sites,
    example=Example(
        "\\usepackage{lmodern}\n\\usepackage{microtype}\n",
        "\\usepackage{lmodern,fontspec}\n\\usepackage{microtype}\n",
        "% \\usepackage{lmodern}\n\\usepackage[T1]{fontenc}\n\\begin{document}\n\\verb|\\usepackage{amsmath}|\n",
    ),
    diagnostic=(
        r"^(?:Fatal )?Package fontspec Error: The fontspec package requires"
        r"|^Package unicode-math Error: Cannot be run with pdftex"
    ),
)
