"""The root is a link to the good paper."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Attack, Cheat, Target


def stage(target: Target) -> Attack:
    """The faulty file as a link to where the verifier may keep the good one."""
    path = target.place.file
    return Attack(links=((path, f"/tests/original/{path}"),))


CHEAT = Cheat("link-source", "import", "the file with the fault is a link to the good one", stage)
