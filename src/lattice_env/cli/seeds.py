"""`lattice-env seeds`."""

from __future__ import annotations

import json as json_format
from pathlib import Path

from rich.table import Table
from rich.text import Text

from lattice_env.model import PaperSeed
from lattice_env.seeds import load_seeds

from .places import out


def seeds(*, seeds_dir: Path | None = None, styles_dir: Path | None = None, json: bool = False) -> int:
    """List the seed papers and their licences.

    Parameters
    ----------
    seeds_dir
        A folder of private seeds, each a folder with seed.json and project/.
    styles_dir
        A folder of conference style files (neurips_2025.sty, …) for the seeds that borrow them.
    json
        Print JSON instead of a table.
    """
    found = load_seeds(seeds_dir, styles_dir)
    if json:
        print(json_format.dumps([_row(seed) for seed in found], indent=1))
        return 0
    table = Table("seed", "title", "licence", "state")
    for column in (table.columns[0], table.columns[2]):
        column.no_wrap = True
    for seed in found:
        licence = seed.licence if seed.redistributable else f"{seed.licence}, not redistributable"
        table.add_row(*map(Text, (seed.name, seed.title, licence, seed.unavailable or "ready")))
    out().print(table)
    return 0


def _row(seed: PaperSeed) -> dict[str, object]:
    names = (
        "name",
        "title",
        "licence",
        "redistributable",
        "root",
        "engine",
        "bibliography",
        "unavailable",
        "digest",
    )
    row: dict[str, object] = {name: getattr(seed, name) for name in names}
    return row | {"editable": list(seed.editable)}
