"""TEX-HYP-DRV: hyperref is told to write for a driver that pdfLaTeX is not."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.preamble import package_loads

DRIVERS = ("dvips", "dvipdfmx", "xetex")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every load of hyperref, with each wrong driver among its options."""
    for document in paper.tex:
        for load in package_loads(document):
            for driver in DRIVERS if load.names == ("hyperref",) else ():
                yield Mutation((load.with_option(driver),))


OPERATOR = Operator(
    code="TEX-HYP-DRV",
    family=BUILD_REPAIR,
    tier=3,
    category="C5 package missing / conflict / order",
    summary="Hyperref is told to write for a driver that pdfLaTeX is not.",
    sites=sites,
    example=Example(
        r"\usepackage[hidelinks]{hyperref}",
        r"\usepackage[dvips,hidelinks]{hyperref}",
        r"% \usepackage{hyperref} \usepackage{cleveref} \verb|\usepackage{hyperref}|",
    ),
    diagnostic=r"^Package hyperref Error: Wrong (?:DVI mode )?driver option",
)
