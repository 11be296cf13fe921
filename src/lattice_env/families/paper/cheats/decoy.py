"""The decoy is "repaired", beside the real repair."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Attack, Cheat, Target
from lattice_env.verifier.selftests import Replacement


def stage(target: Target) -> Attack:
    """The reference repair, and the decoy cleaned away."""
    decoy = target.task.spec.decoy
    start = target.documents[decoy.file].text.index(decoy.text)
    end = start + len(decoy.text)
    return Attack((*target.task.repair, Replacement(decoy.file, start, end, "")))


CHEAT = Cheat("decoy", "decoy", "the decoy is touched beside the real repair", stage)
