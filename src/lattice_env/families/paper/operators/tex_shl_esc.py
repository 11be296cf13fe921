"""TEX-SHL-ESC: a package is loaded that works only with shell escape."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.preamble import hosts, loaded

_BESIDE = ("listings", "xcolor", "booktabs", "graphicx", "amsmath")
"""Where minted belongs, the best place first."""


def sites(paper: Paper) -> Iterator[Mutation]:
    """One place: minted beside the package that it goes with best."""
    places = {load.name: load for load in hosts(paper)}
    best = next((places[name] for name in _BESIDE if name in places), None)
    if best and "minted" not in loaded(paper):
        yield Mutation((best.joined("minted"),))


OPERATOR = Operator(
    code="TEX-SHL-ESC",
    family=BUILD_REPAIR,
    tier=3,
    category="C9 engine / environment dependent feature",
    summary="A package is loaded that works only with shell escape.",
    sites=sites,
    example=Example(
        "\\usepackage{graphicx}\n\\usepackage{listings}\n",
        "\\usepackage{graphicx}\n\\usepackage{listings,minted}\n",
        "% \\usepackage{graphicx}\n\\usepackage[table]{xcolor}\n\\usepackage{minted}\n",
    ),
    diagnostic=r"^Package minted Error: You must invoke LaTeX with the",
)
