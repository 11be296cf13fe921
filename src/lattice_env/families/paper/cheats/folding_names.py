"""A second root differs from the first in case alone."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Cheat
from lattice_env.families.paper.cheats import beside

CHEAT = Cheat(
    "folding-names",
    "import",
    "a second root differs from the first in case alone",
    beside(("Main.tex", "\\input{main}\n"), ("MAIN.TEX", "\\input{main}\n")),
)
