"""The line with the decoy is commented out, beside the real repair."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Attack, Cheat, Target
from lattice_env.verifier.selftests import Replacement


def stage(target: Target) -> Attack | None:
    """The reference repair, and a `%` before the decoy; only where the decoy is live text."""
    decoy = target.task.spec.decoy
    document = target.documents[decoy.file]
    if decoy.text not in document.live or decoy.file.endswith(".bib"):
        return None
    start, _ = document.line_span(document.live.index(decoy.text))
    if any(edit.file == decoy.file and edit.start <= start <= edit.end for edit in target.task.repair):
        return None
    return Attack((*target.task.repair, Replacement(decoy.file, start, start, "% ")))


CHEAT = Cheat("decoy-comment", "decoy", "the decoy is commented out beside the real repair", stage)
