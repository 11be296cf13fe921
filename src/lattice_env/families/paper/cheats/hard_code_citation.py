"""A year is typed where the paper has a citation."""

from __future__ import annotations

import re

from lattice_env.families.paper.cheat import Attack, Cheat, Target
from lattice_env.verifier.selftests import Replacement

_USE = re.compile(r"\\cite[a-z]*(?:\[[^\]]*\])*\{[^{}]*\}")


def stage(target: Target) -> Attack | None:
    """The first citation of the faulty file, typed."""
    hit = _USE.search(target.faulty.code, target.faulty.body_start)
    if not hit or any(e.start <= hit.end() and hit.start() <= e.end for e in target.task.repair):
        return None
    return Attack((Replacement(target.faulty.path, hit.start(), hit.end(), "(2020)"),))


CHEAT = Cheat("hard-code-citation", "hard-code", "a year is typed where the paper has a citation", stage)
