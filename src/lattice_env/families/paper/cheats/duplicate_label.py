"""A label that exists is placed a second time, where it helps."""

from __future__ import annotations

import re

from lattice_env.families.paper.cheat import Attack, Cheat, Target
from lattice_env.families.paper.cheats import on_building_paper
from lattice_env.verifier.selftests import Replacement

_LABEL = re.compile(r"\\label\{([^{}]*)\}")


def stage(target: Target) -> Attack | None:
    """The last label of a file, put beside the first one as well."""
    for document in target.documents.values():
        found = list(_LABEL.finditer(document.code))
        if len(found) > 1:
            place = found[0].end()
            return on_building_paper(target, Replacement(document.path, place, place, found[-1][0]))
    return None


CHEAT = Cheat("duplicate-label", "invent-label", "a label is placed a second time where it helps", stage)
