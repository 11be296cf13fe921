"""`lattice-env dataset`."""

from __future__ import annotations

import json as json_format
from dataclasses import asdict
from pathlib import Path

from rich.progress import Progress

from lattice_env.packages.dataset import read_rows, write_dataset

from .places import err


def dataset(
    tasks: Path,
    *,
    out: Path,
    name: str,
    version: str = "1.0",
    description: str = "",
    redistributable: bool = False,
    family: list[str] | None = None,
    tier: list[int] | None = None,
    seed: list[str] | None = None,
    json: bool = False,
) -> int:
    """Make a data set of a folder of tasks: manifest, registry, provenance of each task, card, canary string.

    Every task is found whole, and nothing in its environment may tell the answer; exit code 4 names one where it
    does. Tasks of one label come from `select`, which copies them to a folder.

    Parameters
    ----------
    tasks
        A folder that generate or select wrote.
    out
        The folder for the data set; it must not exist yet.
    name
        organisation/name, in lower case.
    version
        The data set's version.
    description
        A sentence for the manifest and the card.
    redistributable
        Only tasks of papers that may be redistributed.
    family
        Only this family; repeatable.
    tier
        Only this tier; repeatable.
    seed
        Only this seed; repeatable.
    json
        Print the provenance of the tasks as JSON.
    """
    with Progress(console=err(), disable=not err().is_terminal, transient=True) as progress:
        bar = progress.add_task("reading tasks")
        rows = read_rows(tasks, lambda done, all_: progress.update(bar, completed=done, total=all_))
    wanted = [
        row
        for row in rows
        if (not redistributable or row.redistributable)
        and (not family or row.family in family)
        and (not tier or row.tier in tier)
        and (not seed or row.seed in seed)
    ]
    write_dataset(wanted, tasks, out, name=name, version=version, description=description)
    if json:
        print(json_format.dumps([asdict(row) for row in wanted], indent=1, sort_keys=True))
    err().print(f"{len(wanted)} of {len(rows)} tasks in {out}", markup=False)
    return 0
