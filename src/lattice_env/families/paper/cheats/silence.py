"""Errors and warnings are switched off in the preamble."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Attack, Cheat, Target


def stage(target: Target) -> Attack | None:
    """Batch mode and no complaint about boxes, before the paper begins."""
    edit = target.insert_in_preamble("\\hbadness=10000 \\vbadness=10000\n\\batchmode")
    return Attack((edit,)) if edit else None


CHEAT = Cheat("silence", "silence", "errors and warnings are switched off", stage)
