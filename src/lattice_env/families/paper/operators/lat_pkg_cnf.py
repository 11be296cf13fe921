"""LAT-PKG-CNF: a package is loaded that cannot live beside one of the paper's."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.preamble import CLASS, Load, hosts, loaded, package_loads

RIVALS = {
    "natbib": ("biblatex",),
    "biblatex": ("natbib", "cite"),
    "elsarticle": ("biblatex",),
    "revtex4-2": ("biblatex",),
    "subcaption": ("subfigure", "subfig"),
    "algpseudocode": ("algorithmic",),
    "algorithm": ("algorithm2e",),
    "siunitx": ("SIunits",),
    "amsthm": ("ntheorem",),
    "llncs": ("amsthm",),
}


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every rival of the class or of a package, named in a command that loads another one."""
    names = loaded(paper)
    for document in paper.tex:
        for match in CLASS.finditer(document.code):
            yield from _beside(paper, match[2], None, names)
        for load in package_loads(document):
            for name in load.names:
                yield from _beside(paper, name, load, names)


def _beside(paper: Paper, name: str, load: Load | None, names: list[str]) -> Iterator[Mutation]:
    places = list(hosts(paper))
    host = load if load in places else _nearest(places, load)
    for rival in RIVALS.get(name, ()):
        if host and rival not in names:
            yield Mutation((host.joined(rival),))


def _nearest(places: list[Load], load: Load | None) -> Load | None:
    """The first command behind `load` to which a name can be added, or else the last of all."""
    behind = (place for place in places if load and place.path == load.path and place.start > load.start)
    return next(behind, places[-1] if places else None)


OPERATOR = Operator(
    code="LAT-PKG-CNF",
    family=BUILD_REPAIR,
    tier=2,
    category="C5 package missing / conflict / order",
    summary="A package is loaded that cannot live beside one of the paper's.",
    sites=sites,
    example=Example(
        "\\usepackage{amsmath}\n\\usepackage[round]{natbib}\n",
        "\\usepackage{amsmath,biblatex}\n\\usepackage[round]{natbib}\n",
        "\\usepackage{amsmath}\n% \\usepackage{natbib}\n\\begin{document}\n",
    ),
    diagnostic=(
        r"^Package biblatex Error: Incompatible package|^Package siunitx Error: Package 'SIunits' incompatible"
        r"|^Package subcaption Error: This package can't be used in cooperation"
        r"|^Package ntheorem Error: Theorem style|^LaTeX Error: Command \\\S+ already defined"
    ),
)
