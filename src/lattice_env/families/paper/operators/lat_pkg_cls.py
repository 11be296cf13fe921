"""LAT-PKG-CLS: a package is loaded a second time, without the options that it gets later."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.preamble import Load, package_loads

_TOLERANT = {"fontenc", "caption", "cleveref"}
"""They take new options later, or cannot be loaded as early."""


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every package that is loaded with options, named too in the nearest command before it that has none."""
    for document in paper.tex:
        host: Load | None = None
        for load in package_loads(document):
            if load.options_start < 0 and len(load.names) == 1:
                host = load
            elif host and load.options.strip() and len(load.names) == 1 and load.name not in _TOLERANT:
                yield Mutation((host.joined(load.name),))


OPERATOR = Operator(
    code="LAT-PKG-CLS",
    family=BUILD_REPAIR,
    tier=1,
    category="C5 package missing / conflict / order",
    summary="A package is loaded a second time, without its options, beside another one.",
    sites=sites,
    example=Example(
        "\\usepackage{amsmath}\n\\usepackage[round]{natbib}\n",
        "\\usepackage{amsmath,natbib}\n\\usepackage[round]{natbib}\n",
        "% \\usepackage{amsmath}\n\\usepackage[T1]{fontenc}\n\\usepackage{amsmath}\n",
    ),
    diagnostic=r"^LaTeX Error: Option clash for package",
)
