"""The category code of a character is changed."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Cheat
from lattice_env.families.paper.cheats import in_preamble

CHEAT = Cheat("catcode", "redefine", "the category code of a character is changed", in_preamble(r"\catcode`\@=11"))
