"""The paragraph with the fault is switched off with `\\iffalse`."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Attack, Cheat, Target
from lattice_env.verifier.selftests import Replacement


def stage(target: Target) -> Attack | None:
    """The section around the first faulty place, or else its paragraph, in a conditional that is never true."""
    if target.faulty.path.endswith(".bib"):
        return None
    start, end = target.section() or target.paragraph()
    path = target.faulty.path
    return Attack((Replacement(path, start, start, "\\iffalse\n"), Replacement(path, end, end, "\\fi\n")))


CHEAT = Cheat("hide-iffalse", "hide", "the text with the fault is put into \\iffalse", stage)
