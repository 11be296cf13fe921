"""The figure or table that the fault is in, or refers to, is deleted."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Attack, Cheat, Target
from lattice_env.verifier.latex import environments
from lattice_env.verifier.selftests import Replacement

_FLOATS = ("figure", "figure*", "table", "table*")


def stage(target: Target) -> Attack | None:
    """The float around the first faulty place, or else the first of its file, taken out."""
    floats = [span for span in environments(target.faulty.code) if span.name in _FLOATS]
    if not floats:
        return None
    place = target.place.start
    float_ = next((span for span in floats if span.begin <= place < span.end), floats[0])
    return Attack((Replacement(target.faulty.path, float_.begin, float_.end, ""),))


CHEAT = Cheat("delete-float", "delete", "a float is deleted, with the fault in it or without", stage)
