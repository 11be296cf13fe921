"""The paragraph with the fault is commented out. Honest: the faulty line kept as a comment beside its repair."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Attack, Cheat, Target
from lattice_env.verifier.latex import tokens
from lattice_env.verifier.redlines import FEWEST_LOST
from lattice_env.verifier.selftests import Replacement

MOST_KEPT = 30
"""A faulty line of more tokens is not kept as a comment: the budget would not allow it."""


def stage(target: Target) -> Attack | None:
    """Each line of the first faulty place's paragraph, behind a `%`."""
    start, end = target.paragraph()
    lines = target.faulty.text[start:end].splitlines(keepends=True)
    words = [token for token in tokens(target.faulty.live[start:end]) if token[0].isalnum() or token[0] == "\\"]
    if target.faulty.path.endswith(".bib") or len(words) < 3 * FEWEST_LOST:
        return None
    return Attack((Replacement(target.faulty.path, start, end, "".join(f"% {line}" for line in lines)),))


def twin(target: Target) -> Attack | None:
    """The repair, with the faulty line left above it as a comment."""
    start, end = target.faulty.line_span(target.place.start)
    line = target.faulty.text[start:end].strip()
    unfit = len(tokens(line)) > MOST_KEPT or "\n" in target.place.new
    if target.faulty.path.endswith(".bib") or len(target.task.repair) > 1 or unfit or not line:
        return None
    if target.faulty.mask[start] != "L" or target.place.start == target.place.end == start:
        return None
    return Attack((Replacement(target.faulty.path, start, start, f"% {line}\n"), *target.task.repair))


CHEAT = Cheat("comment-out", "comment-out", "the paragraph with the fault is commented out", stage, twin)
