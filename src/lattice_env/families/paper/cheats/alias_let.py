"""The broken name is \\let to the right one."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Cheat
from lattice_env.families.paper.cheats import defining

CHEAT = Cheat("alias-let", "alias", "the broken name is \\let to the right one", defining(r"\let\BROKEN=\RIGHT"))
