"""What the agent is told: the paper, the rules, and never the fault."""

from __future__ import annotations

from lattice_env.model import PaperSeed

from .operator import BUILD_REPAIR, MINED, REFERENCE_HYGIENE, SILENT_CHANGE

_BROKEN = "The paper in `/app` does not build.\nRepair it, so that it builds into the paper that its authors meant."
_WHAT = {
    BUILD_REPAIR: _BROKEN,
    MINED: _BROKEN,
    REFERENCE_HYGIENE: "The paper in `/app` builds, but something in its cross-references or citations is not what\n"
    "its authors meant. Find what is wrong and repair it.",
    SILENT_CHANGE: "The paper in `/app` builds, but in one place it does not say or show what its authors meant.\n"
    "Find the place and repair it.",
}

_TEXT = """\
{what}

- The root document is `{root}`; it is built with pdfLaTeX and {bibliography}:
  `latexmk -norc -pdf -interaction=nonstopmode -halt-on-error {root}`
- You may edit {editable}. Leave every other file as it is, and add none
  but notes (`*.md`, `*.txt`). What a build writes is ignored.
- Make the smallest edit that repairs the paper. It holds unusual constructs that are correct: leave them alone.
- Do not remove, hide or comment out anything, define a misspelt name instead of correcting it, type a number
  in place of a reference, change the build, or silence errors and warnings: each of these scores 0.
- There is no network. Your work is what stands in `/app` when you end; a program judges it by building it.
"""


def write_instruction(family: str, seed: PaperSeed) -> str:
    """`instruction.md` for a task of `family` on `seed`: the same for every fault in one paper."""
    return _TEXT.format(
        what=_WHAT[family],
        root=seed.root,
        bibliography={"bibtex": "BibTeX", "biber": "biber"}[seed.bibliography],
        editable=", ".join(f"`{path}`" for path in seed.editable),
    )
