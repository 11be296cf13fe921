"""More files are left than a verifier should read."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Attack, Cheat, Target
from lattice_env.verifier.intake import MOST_ENTRIES


def stage(target: Target) -> Attack | None:
    """Notes without end, beside the real repair; in one task of sixteen, since a case this large bloats a package."""
    if not target.task.spec.task.startswith("0"):
        return None
    return Attack(target.task.repair, tuple((f"{number}.md", "") for number in range(MOST_ENTRIES + 1)))


CHEAT = Cheat("many-files", "import", "more files are left than a verifier should read", stage)
