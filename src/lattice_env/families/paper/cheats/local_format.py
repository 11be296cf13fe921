"""A format beside the paper is to be loaded in the place of LaTeX."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Cheat
from lattice_env.families.paper.cheats import beside

CHEAT = Cheat(
    "local-format",
    "build-config",
    "a format beside the paper is to be loaded in the place of LaTeX",
    beside(("pdflatex.fmt", "This is no format.\n"), ("pdflatex.ini", "\\input latex.ltx\n")),
)
