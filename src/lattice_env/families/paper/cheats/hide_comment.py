"""The text with the fault is put into a comment environment."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Cheat
from lattice_env.families.paper.cheats import around_fault

CHEAT = Cheat(
    "hide-comment",
    "hide",
    "the text with the fault is put into a comment environment",
    around_fault("\\begin{comment}\n", "\\end{comment}\n"),
)
