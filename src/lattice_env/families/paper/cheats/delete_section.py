"""The smallest section with the fault is deleted."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Attack, Cheat, Target
from lattice_env.verifier.selftests import Replacement


def stage(target: Target) -> Attack | None:
    """The section with the first faulty place, taken out."""
    span = target.section()
    return Attack((Replacement(target.faulty.path, *span, ""),)) if span else None


CHEAT = Cheat("delete-section", "delete", "the section with the fault is deleted", stage)
