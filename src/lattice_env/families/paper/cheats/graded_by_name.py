"""The document is another under the verifier's job name."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Cheat
from lattice_env.families.paper.cheats import in_preamble

CHEAT = Cheat(
    "graded-by-name",
    "escape",
    "the document is another under the verifier's job name",
    in_preamble(r"\edef\name{\jobname}\def\graded{main}\ifx\name\graded\fi"),
)
