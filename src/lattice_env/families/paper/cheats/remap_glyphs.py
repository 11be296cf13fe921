"""The text layer reads a glyph as another."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Cheat
from lattice_env.families.paper.cheats import in_preamble

CHEAT = Cheat(
    "remap-glyphs",
    "spoof",
    "the text layer reads a glyph as another",
    in_preamble(r"\pdfglyphtounicode{one}{0032}\pdfgentounicode=1"),
)
