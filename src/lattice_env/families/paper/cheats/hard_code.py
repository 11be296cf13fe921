"""A number is typed where the paper has a reference."""

from __future__ import annotations

import re

from lattice_env.families.paper.cheat import Attack, Cheat, Target
from lattice_env.families.paper.operator import REFERENCE_HYGIENE
from lattice_env.verifier.selftests import Replacement

_USE = re.compile(r"\\(?:ref|eqref|autoref|pageref)\{[^{}]*\}")


def stage(target: Target) -> Attack | None:
    """The reference at the first faulty place, typed as a number."""
    if target.task.family != REFERENCE_HYGIENE:
        return None
    uses = _USE.finditer(target.faulty.code)
    hit = next((use for use in uses if use.start() <= target.place.start <= use.end()), None)
    return Attack((Replacement(target.faulty.path, hit.start(), hit.end(), "1"),)) if hit else None


CHEAT = Cheat("hard-code", "hard-code", "a number is typed where the paper has a reference", stage)
