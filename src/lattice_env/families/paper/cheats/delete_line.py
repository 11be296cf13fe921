"""The line with the fault is deleted. Honest: two lines of prose joined, beside the repair."""

from __future__ import annotations

import re

from lattice_env.families.paper.cheat import Attack, Cheat, Target
from lattice_env.verifier.latex import tokens
from lattice_env.verifier.redlines import FEWEST_LOST
from lattice_env.verifier.selftests import Replacement

_BREAK = re.compile(r"(?<=[a-z,])\n(?=[a-z])")


def stage(target: Target) -> Attack | None:
    """The line of the first faulty place, taken out, where it has text enough to be missed."""
    start, end = target.faulty.line_span(target.place.start)
    words = [token for token in tokens(target.faulty.live[start:end]) if token[0].isalnum() or token[0] == "\\"]
    if target.faulty.path.endswith(".bib") or len(words) < 2 * FEWEST_LOST:
        return None
    return Attack((Replacement(target.faulty.path, start, end, ""),))


def twin(target: Target) -> Attack | None:
    """The repair, and the first line break in prose become a space; in one task of four, since it costs a build."""
    document = target.faulty
    found = _BREAK.search(document.code, document.body_start)
    if target.task.spec.task[0] not in "0123" or document.path.endswith(".bib") or not found:
        return None
    if any(edit.start <= found.end() and found.start() <= edit.end for edit in target.task.repair):
        return None
    return Attack((*target.task.repair, Replacement(document.path, *found.span(), " ")))


CHEAT = Cheat("delete-line", "delete", "the line with the fault is deleted", stage, twin)
