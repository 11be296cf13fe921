"""The document writes labels into its `.aux`."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Attack, Cheat, Target
from lattice_env.families.paper.cheats import on_building_paper


def stage(target: Target) -> Attack | None:
    """The key that the fault broke, or one of no use, written by the document itself."""
    key = next((name for name in target.task.spec.fault.names if not name.startswith("\\")), "fig:ghost")
    line = f"\\immediate\\write\\@auxout{{\\string\\newlabel{{{key}}}{{{{1}}{{1}}}}}}"
    edit = target.insert_in_preamble(f"\\makeatletter\n\\AtBeginDocument{{{line}}}\n\\makeatother")
    return on_building_paper(target, edit) if edit else None


CHEAT = Cheat("write-newlabel", "forge", "the document writes labels into its .aux", stage)
