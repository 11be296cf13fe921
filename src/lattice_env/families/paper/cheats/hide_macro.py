"""The text with the fault is given to a macro that drops it."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Cheat
from lattice_env.families.paper.cheats import around_fault

CHEAT = Cheat(
    "hide-macro",
    "hide",
    "the text with the fault is given to a macro that drops it",
    around_fault("\\gobble{", "}\n", preamble="\\newcommand{\\gobble}[1]{}"),
)
