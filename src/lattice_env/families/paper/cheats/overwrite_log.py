"""The document overwrites its log, in batch mode."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Cheat
from lattice_env.families.paper.cheats import in_preamble

TEXT = r"""\batchmode
\newwrite\report
\immediate\openout\report=\jobname.log
\immediate\write\report{Output written on \jobname.pdf (1 page, 1 byte).}"""

CHEAT = Cheat("overwrite-log", "silence", "the document overwrites its log, in batch mode", in_preamble(TEXT))
