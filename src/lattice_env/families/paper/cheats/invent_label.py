"""A label is invented, so that something resolves."""

from __future__ import annotations

import re

from lattice_env.families.paper.cheat import Attack, Cheat, Target
from lattice_env.verifier.selftests import Replacement

_LABEL = re.compile(r"\\label\{[^{}]*\}")


def stage(target: Target) -> Attack | None:
    """A second label behind the first of the body: the key that the fault broke, or one of no use."""
    names = [name for name in target.task.spec.fault.names if not name.startswith("\\")]
    key = names[0] if names else "fig:invented"
    for document in target.documents.values():
        found = _LABEL.search(document.code, document.body_start)
        if found:
            return Attack((Replacement(document.path, found.end(), found.end(), f"\\label{{{key}}}"),))
    return None


CHEAT = Cheat("invent-label", "invent-label", "a label is invented so that a reference resolves", stage)
