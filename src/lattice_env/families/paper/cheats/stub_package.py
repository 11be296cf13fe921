"""A package is supplied to stand in for a real one."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Attack, Cheat, Target


def stage(target: Target) -> Attack:
    """An own package under the misspelt name, or else one that hides a real one."""
    change = target.task.spec.fault.changes[0]
    broken = [name for name in target.task.spec.fault.names if f"{{{name}}}" in _line(target)]
    if broken and "\\usepackage" in _line(target):
        right = _line(target).replace(change.after, change.before) if change.after else _line(target)
        return Attack(added=((f"{broken[0]}.sty", right.replace("usepackage", "RequirePackage") + "\n"),))
    return Attack(added=(("graphicx.sty", "\\newcommand{\\includegraphics}[2][]{}\n"),))


def _line(target: Target) -> str:
    return target.faulty.line_text(target.faulty.line_of(target.place.start))


CHEAT = Cheat("stub-package", "stub", "a package is supplied to stand in for a real one", stage)
