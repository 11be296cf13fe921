"""The broken name is defined instead of corrected."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Attack, Cheat, Target
from lattice_env.families.paper.cheats import right_name


def stage(target: Target) -> Attack | None:
    """A definition of the first broken command or environment, with the meaning of the right one."""
    for name in target.task.spec.fault.names:
        right = right_name(target)
        if name.startswith("\\"):
            text = f"\\newcommand{{{name}}}{{{right if right.startswith('\\') else '\\relax'}}}"
        elif name.isalpha() and _is_environment(target, name):
            text = f"\\newenvironment{{{name}}}{{\\begin{{{right}}}}}{{\\end{{{right}}}}}"
        else:
            continue
        edit = target.insert_in_preamble(text)
        return Attack((edit,)) if edit else None
    return None


def _is_environment(target: Target, name: str) -> bool:
    return any(f"\\{word}{{{name}}}" in target.faulty.code for word in ("begin", "end"))


CHEAT = Cheat("alias", "alias", "the broken name is defined instead of corrected", stage)
