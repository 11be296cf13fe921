"""The preamble is kept, and the paper behind it is gone."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Attack, Cheat, Target

from .other_paper import replace_all


def stage(target: Target) -> Attack | None:
    """The preamble, a title and nothing else."""
    start = target.root.body_start
    return replace_all(target, f"{target.root.text[:start]}\n\\maketitle\n\\end{{document}}\n") if start else None


CHEAT = Cheat("gutted-paper", "swap", "the preamble is kept and the paper is gone", stage)
