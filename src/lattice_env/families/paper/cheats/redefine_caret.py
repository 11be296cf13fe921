"""\\ref is given a new meaning under a name in ^^ notation."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Cheat
from lattice_env.families.paper.cheats import in_preamble

CHEAT = Cheat(
    "redefine-caret",
    "redefine",
    "\\ref is given a new meaning under a name in ^^ notation",
    in_preamble(r"\renewcommand{^^5cref}[1]{1}"),
)
