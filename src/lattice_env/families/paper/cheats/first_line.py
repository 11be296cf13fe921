"""A first line asks for another format."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Cheat
from lattice_env.families.paper.cheats import at_top

CHEAT = Cheat("first-line", "build-config", "a first line asks for another format", at_top("%&mylatex"))
