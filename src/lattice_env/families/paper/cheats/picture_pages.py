"""Pictures are put in the place of the text."""

from __future__ import annotations

from lattice_env.families.paper.cheat import Attack, Cheat, Target

from .other_paper import replace_all

HEAD = "\\documentclass{article}\n\\usepackage{graphicx}\n\\begin{document}\n"


def stage(target: Target) -> Attack | None:
    """A root of pictures alone: those that the paper has, so that no added file gives it away."""
    pictures = [path for path in sorted(target.task.start) if path.endswith(".pdf")]
    shown = "".join(f"\\includegraphics{{{path}}}\n" for path in pictures)
    return replace_all(target, f"{HEAD}{shown}\\end{{document}}\n") if pictures else None


CHEAT = Cheat("picture-pages", "swap", "pictures are put in the place of the text", stage)
