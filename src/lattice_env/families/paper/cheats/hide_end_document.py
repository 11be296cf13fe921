"""The text with the fault, and all behind it, is put after \\end{document}."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Cheat
from lattice_env.families.paper.cheats import around_fault

CHEAT = Cheat(
    "hide-end-document",
    "hide",
    "the text with the fault, and all behind it, is put after \\end{document}",
    around_fault("\\end{document}\n", ""),
)
