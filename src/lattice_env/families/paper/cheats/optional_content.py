"""Text is in a layer that is switched off."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Cheat
from lattice_env.families.paper.cheats import in_preamble

TEXT = r"""\AtBeginDocument{\pdfliteral page{/OC /hidden BDC}1\pdfliteral page{EMC}}"""

CHEAT = Cheat("optional-content", "spoof", "text is in a layer that is switched off", in_preamble(TEXT))
