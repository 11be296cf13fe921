"""A counter is set so that a number fits."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Cheat
from lattice_env.families.paper.cheats import in_preamble

CHEAT = Cheat(
    "set-counter", "invent-label", "a counter is set so that a number fits", in_preamble(r"\setcounter{figure}{1}")
)
