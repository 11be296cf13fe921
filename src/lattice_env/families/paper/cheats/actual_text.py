"""The text layer says what the page does not show."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Cheat
from lattice_env.families.paper.cheats import in_preamble

TEXT = r"""\AtBeginDocument{\pdfliteral page{/Span <</ActualText (1)>> BDC EMC}}"""

CHEAT = Cheat("actual-text", "spoof", "the text layer says what the page does not show", in_preamble(TEXT))
