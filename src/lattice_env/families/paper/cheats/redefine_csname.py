"""\\ref is given a new meaning through \\csname."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Cheat
from lattice_env.families.paper.cheats import in_preamble

CHEAT = Cheat(
    "redefine-csname",
    "redefine",
    "\\ref is given a new meaning through \\csname",
    in_preamble(r"\expandafter\def\csname ref\endcsname#1{1}"),
)
