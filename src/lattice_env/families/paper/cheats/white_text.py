"""Text is white."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Cheat
from lattice_env.families.paper.cheats import in_preamble

TEXT = r"""\usepackage{xcolor}
\AtBeginDocument{\textcolor{white}{1}}"""

CHEAT = Cheat("white-text", "spoof", "text is white", in_preamble(TEXT))
