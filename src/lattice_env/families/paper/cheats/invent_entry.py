"""A bibliography entry is invented, so that a citation resolves."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Attack, Cheat, Target
from lattice_env.families.paper.cheats import on_building_paper
from lattice_env.verifier.selftests import Replacement

ENTRY = "@misc{KEY,\n  author = {Anonymous},\n  title  = {A Ghost},\n  year   = {2020}\n}\n\n"


def stage(target: Target) -> Attack | None:
    """An entry under the key that the fault broke, or under one of no use, with data of no work."""
    names = [name for name in target.task.spec.fault.names if name.isalnum()]
    path = next((path for path in target.documents if path.endswith(".bib")), "")
    if not path:
        return None
    return on_building_paper(target, Replacement(path, 0, 0, ENTRY.replace("KEY", names[0] if names else "ghost2020")))


CHEAT = Cheat("invent-entry", "invent-label", "a bibliography entry is invented so that a citation resolves", stage)
