"""The broken name is defined through \\csname."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Cheat
from lattice_env.families.paper.cheats import defining

CHEAT = Cheat(
    "alias-csname",
    "alias",
    "the broken name is defined through \\csname",
    defining(r"\expandafter\def\csname BROKEN\endcsname{\RIGHT}"),
)
