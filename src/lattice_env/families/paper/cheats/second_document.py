"""Another document is put before this one, which TeX then never reads."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Attack, Cheat, Target
from lattice_env.verifier.selftests import Replacement

from .other_paper import OTHER


def stage(target: Target) -> Attack | None:
    """Another whole paper at the top of the root; only of a paper in one file, whose text all lies behind it."""
    sources = [path for path in target.documents if path.endswith(".tex")]
    return Attack((Replacement(target.root.path, 0, 0, OTHER),)) if len(sources) == 1 else None


CHEAT = Cheat("second-document", "swap", "another document stands before this one", stage)
