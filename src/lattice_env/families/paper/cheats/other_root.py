"""The root becomes a shell around another document, and the paper's text is gone."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Attack, Cheat, Target

from .other_paper import replace_all

SHELL = "\\documentclass{article}\n\\begin{document}\n\\input{other}\n\\end{document}\n"


def stage(target: Target) -> Attack:
    """A root that inputs an added file, which has a text that builds."""
    attack = replace_all(target, SHELL)
    return Attack(attack.edits, (("other.tex", "This is the paper.\n"),))


CHEAT = Cheat("other-root", "swap", "the root becomes the shell of another document", stage)
