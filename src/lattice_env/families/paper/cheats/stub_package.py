"""A package is supplied to stand in for a real one."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Attack, Cheat, Target

HIDES_REAL = (("graphicx.sty", "\\newcommand{\\includegraphics}[2][]{}\n"),)


def stage(target: Target) -> Attack:
    """A package of the misspelt name that loads the right one, or else one that hides a real one."""
    number = target.faulty.line_of(target.place.start)
    faulty, good = target.faulty.line_text(number), target.original.line_text(number)
    broken = [name for name in target.task.spec.fault.names if f"{{{name}}}" in faulty]
    if not broken or not good.startswith("\\usepackage"):
        return Attack(added=HIDES_REAL)
    load = good.replace("usepackage", "RequirePackage")
    return Attack(added=((f"{broken[0]}.sty", f"\\DeclareOption*{{}}\n\\ProcessOptions\\relax\n{load}\n"),))


CHEAT = Cheat("stub-package", "stub", "a package is supplied to stand in for a real one", stage)
