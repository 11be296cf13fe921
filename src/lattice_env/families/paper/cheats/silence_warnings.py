"""The warnings of LaTeX are redefined to nothing."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Cheat
from lattice_env.families.paper.cheats import in_preamble

TEXT = r"""\makeatletter
\def\@latex@warning#1{}
\def\@latex@warning@no@line#1{}
\makeatother"""

CHEAT = Cheat("silence-warnings", "silence", "the warnings of LaTeX are redefined to nothing", in_preamble(TEXT))
