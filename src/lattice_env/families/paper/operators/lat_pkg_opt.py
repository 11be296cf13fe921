"""LAT-PKG-OPT: a package gets an option that it does not know."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.preamble import Load, loaded, package_loads
from lattice_env.verifier.selftests import Replacement

TYPOS = {
    "natbib": {
        "round": "roud",
        "square": "sqaure",
        "numbers": "number",
        "authoryear": "authoryaer",
        "sort&compress": "sort&compres",
        "sort": "srot",
        "super": "supre",
    },
    "cleveref": {
        "capitalise": "captialise",
        "capitalize": "captialize",
        "noabbrev": "noabrev",
        "nameinlink": "nameinlnk",
    },
    "amsmath": {"intlimits": "intlimit", "leqno": "lqeno", "fleqn": "flqen"},
    "graphicx": {"draft": "darft", "final": "fianl"},
    "xcolor": {"dvipsnames": "dvipsname", "table": "tabel", "svgnames": "svgname"},
    "algorithm": {"ruled": "ruld", "boxed": "boxd"},
    "algpseudocode": {"noend": "noned"},
    "subfig": {"caption": "captoin"},
}
"""Packages that declare their options one by one, with slips in these."""
ADDED = {
    "amsmath": "intlimit",
    "graphicx": "fianl",
    "algorithm": "ruld",
    "algpseudocode": "noned",
    "booktabs": "compact",
}
"""What a package that is loaded without options gets."""


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every known option of such a package misspelt; those that have none get one.

    Elsarticle has loaded graphicx already, so that new options would clash.
    """
    names = loaded(paper)
    for document in paper.tex:
        for load in package_loads(document):
            if len(load.names) == 1:
                yield from _misspelt(load)
            early = load.name == "graphicx" and "elsarticle" in names
            if len(load.names) == 1 and load.options_start < 0 and load.name in ADDED and not early:
                yield Mutation((load.with_option(ADDED[load.name]),), (ADDED[load.name],))


def _misspelt(load: Load) -> Iterator[Mutation]:
    typos = TYPOS.get(load.name, {})
    for key, start, end in load.option_keys():
        if key in typos:
            yield Mutation((Replacement(load.path, start, end, typos[key]),), (typos[key],))


OPERATOR = Operator(
    code="LAT-PKG-OPT",
    family=BUILD_REPAIR,
    tier=1,
    category="C5 package missing / conflict / order",
    summary="A package gets an option that it does not know.",
    sites=sites,
    example=Example(
        r"\usepackage[round]{natbib}",
        r"\usepackage[roud]{natbib}",
        "% \\usepackage[round]{natbib}\n\\usepackage[T1]{fontenc}\n\\usepackage{natbib}\n",
    ),
    diagnostic=r"^LaTeX Error: Unknown option",
)
