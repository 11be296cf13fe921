"""The ladder of difficulty: each level with what it does to the documents and to the changes in them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Level:
    """One rung: the document's length, how far a change reaches, and how many turns there are."""

    name: str
    summary: str
    fillers: int
    """Sections without anything to change: length, and decoys."""
    appendices: int
    """Sections that echo values in other formats."""
    hops: tuple[int, int]
    """How far the farthest consequence of a change lies, in formulas: at least, at most."""
    corrupted: tuple[int, int]
    """How many values an audit has to find: at least, at most."""
    echoed: int
    """Per cent of an audit's wrong values that stand in echoes, not at home."""
    lookalikes: int
    """Per cent of an audit's wrong values that are a decoy's value."""
    max_turns: int


LEVELS = {
    level.name: level
    for level in (
        Level("note", "no consequences; one wrong value, in a table", 0, 0, (0, 0), (1, 1), 0, 0, 16),
        Level("letter", "one consequence at most; an appendix", 2, 1, (0, 1), (1, 2), 50, 25, 20),
        Level("file", "a consequence, echoes, decoys", 5, 2, (1, 1), (2, 3), 75, 60, 28),
        Level("binder", "long chains among them; many echoes and decoys", 9, 4, (1, 9), (2, 3), 90, 80, 48),
        Level("archive", "the longest chains, in a document of many pages", 40, 6, (3, 9), (3, 3), 100, 100, 64),
    )
}
"""All levels, from the easiest."""
