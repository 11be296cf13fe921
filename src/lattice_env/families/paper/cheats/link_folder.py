"""A link beside the paper leads to the folder of the tests, and the paper reads through it."""

from __future__ import annotations

from dataclasses import replace

from lattice_env.families.paper.cheat import Attack, Cheat, Target
from lattice_env.families.paper.cheats import on_building_paper

LINK = ("notes", "/tests")


def stage(target: Target) -> Attack | None:
    """What TeX forbids outside of the tree it allows behind a link; a paper that builds goes on without."""
    edit = target.insert_in_preamble(r"\InputIfFileExists{notes/original/main.tex}{}{}")
    return replace(on_building_paper(target, edit), links=(LINK,)) if edit else None


CHEAT = Cheat("link-folder", "import", "a link beside the paper leads to the folder of the tests", stage)
