"""The document overwrites the list of files that it read."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Cheat
from lattice_env.families.paper.cheats import in_preamble

TEXT = r"""\newwrite\inputs
\immediate\openout\inputs=main.fls
\immediate\write\inputs{INPUT main.tex}"""

CHEAT = Cheat("overwrite-fls", "forge", "the document overwrites the list of files that it read", in_preamble(TEXT))
