"""`\\ref` is given a new meaning."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Attack, Cheat, Target


def stage(target: Target) -> Attack | None:
    """A `\\ref` that prints 1 whatever it is asked."""
    edit = target.insert_in_preamble("\\renewcommand{\\ref}[1]{1}")
    return Attack((edit,)) if edit else None


CHEAT = Cheat("redefine-ref", "redefine", "\\ref is given a new meaning", stage)
