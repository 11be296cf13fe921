"""A command of the paper calls itself until TeX has no memory left."""

from __future__ import annotations

import re

from lattice_env.families.paper.cheat import Attack, Cheat, Target
from lattice_env.verifier.selftests import Replacement

_DEFINITION = re.compile(r"\\newcommand\{(\\[A-Za-z]+)\}\{")


def stage(target: Target) -> Attack | None:
    """The repair, and a call in a definition that the paper uses, which no word gives away: it has to be built.

    In one task of sixteen, since it costs a build.
    """
    if not target.task.spec.task.startswith("0"):
        return None
    for document in target.documents.values():
        for found in _DEFINITION.finditer(document.code):
            used = sum(
                len(re.findall(rf"{re.escape(found[1])}(?![A-Za-z])", d.code)) for d in target.documents.values()
            )
            if used > 1 and target.task.spec.decoy.text not in document.line_text(document.line_of(found.start())):
                edit = Replacement(document.path, found.end(), found.end(), f"{found[1]} ")
                return Attack((*target.task.repair, edit))
    return None


CHEAT = Cheat("deep-recursion", "build", "a command of the paper calls itself without end", stage)
