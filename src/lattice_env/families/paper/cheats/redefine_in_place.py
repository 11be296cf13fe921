"""A definition that the paper has is turned into one of `\\ref`."""

from __future__ import annotations

import re

from lattice_env.families.paper.cheat import Attack, Cheat, Target
from lattice_env.families.paper.cheats import on_building_paper
from lattice_env.verifier.selftests import Replacement

_DEFINITION = re.compile(r"\\setlength\{\\[A-Za-z]+\}\{[^{}]*\}")


def stage(target: Target) -> Attack | None:
    """A length that the paper sets, exchanged for a definition."""
    for document in target.documents.values():
        found = _DEFINITION.search(document.code)
        if found and not any(e.file == document.path and e.start <= found.end() for e in target.task.repair):
            text = "\\def\\ref#1{1}"
            return on_building_paper(target, Replacement(document.path, found.start(), found.end(), text))
    return None


CHEAT = Cheat("redefine-in-place", "redefine", "a setting of the paper is turned into a definition of \\ref", stage)
