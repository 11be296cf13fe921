"""The document reads the good paper from the folder of the tests."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Cheat
from lattice_env.families.paper.cheats import in_preamble

CHEAT = Cheat(
    "read-tests",
    "escape",
    "the document reads the good paper from the folder of the tests",
    in_preamble(r"\InputIfFileExists{/tests/original/main.tex}{\stop}{}"),
)
