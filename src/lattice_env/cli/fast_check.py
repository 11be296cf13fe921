"""`lattice-env fast-check`."""

from __future__ import annotations

import json as json_format
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from rich.table import Table

from lattice_env.errors import UsageError
from lattice_env.executors import open_executor
from lattice_env.fuzz.both import Comparison, compare_all
from lattice_env.redteam import task_folders

from .generate import count_workers
from .places import err, out


def fast_check(
    tasks: Path, *, workspaces: int = 20, seed: str = "0", jobs: int | None = None, json: bool = False
) -> int:
    """Judge every self-test and many fuzzed workspaces with --fast and without: the verdicts must be the same.

    For whoever wants to use --fast on papers of their own. Nothing is taken from a store, so that it takes some
    builds for each submission that is built at all. Exit code 1 if two verdicts differ, or one could not be reached.

    Parameters
    ----------
    tasks
        A folder of task folders, or one task folder.
    workspaces
        For each paper so many hostile and so many gentle workspaces, as `fuzz` makes them; 0 for self-tests alone.
    seed
        Another seed, other workspaces.
    jobs
        Tasks side by side; as many as there are cores if not given.
    json
        Print JSON instead of a table.
    """
    if workspaces < 0:
        message = f"--workspaces must be at least 0, not {workspaces}"
        raise UsageError(message)
    folders = task_folders(tasks)
    done: list[Comparison] = []

    def report(found: Comparison) -> None:
        done.append(found)
        said = f"{found.cases} self-tests, {found.workspaces} workspaces, {len(found.differing)} differ"
        err().print(f"[{len(done)}/{len(folders)}] {found.task}: {said}", markup=False)
        for kind in ("differing", "unjudged"):
            for name in getattr(found, kind):
                err().print(f"  {kind}: {name}", markup=False)

    with open_executor("process", jobs=count_workers(jobs)) as executor:
        comparisons = compare_all(folders, seed=seed, count=workspaces, executor=executor, report=report)
    if json:
        print(json_format.dumps([asdict(found) for found in comparisons], indent=1))
    else:
        out().print(_table(comparisons))
    return int(any(found.differing or found.unjudged for found in comparisons))


def _table(comparisons: list[Comparison]) -> Table:
    """A line for each family; the last says what all of them come to."""
    columns = ("family", "tasks", "self-tests", "workspaces", "paid", "one pass was enough", "differ", "not judged")
    table = Table(show_footer=True)
    for name, total in zip(columns, ("all", *_figures(comparisons)), strict=True):
        table.add_column(name, footer=total, justify="left" if name == "family" else "right")
    for family in sorted({found.family for found in comparisons}):
        table.add_row(family, *_figures(found for found in comparisons if found.family == family))
    return table


def _figures(comparisons: Iterable[Comparison]) -> tuple[str, ...]:
    own = list(comparisons)
    counts = [len(own)]
    counts += [sum(getattr(found, name) for found in own) for name in ("cases", "workspaces", "paid", "quick")]
    counts += [sum(len(getattr(found, name)) for found in own) for name in ("differing", "unjudged")]
    return tuple(map(str, counts))
