"""`lattice-env verify-batch`."""

from __future__ import annotations

import json as json_format
import time
from collections import Counter
from pathlib import Path
from typing import Any

from rich.table import Table

from lattice_env.executors import open_executor
from lattice_env.generate.plan import read_shard
from lattice_env.journal import Row
from lattice_env.redteam import task_folders
from lattice_env.verification import How, read_entries
from lattice_env.verification import verify_batch as run
from lattice_env.verifier.verdict import INFRA_ERROR

from .generate import count_workers
from .places import err, store_folder
from .places import out as console
from .progress import in_words


def verify_batch(
    tasks: Path,
    submissions: Path,
    *,
    out: Path,
    shard: str | None = None,
    executor: str = "process",
    address: str | None = None,
    jobs: int | None = None,
    fast: bool = False,
    store: Path | None = None,
    json: bool = False,
) -> int:
    """Judge a set of submissions with this version's verifier: a rollout set again, or for the first time.

    A run that was interrupted or killed goes on where it ended when the same command is given again; what could not be
    judged is tried again then, and what a changed submission or another version of the verifier makes stale is judged
    anew. OUT is written when all is judged, in the submissions' order. Exit code 1 if anything could not be judged.

    Parameters
    ----------
    tasks
        A folder of task folders, or one task folder.
    submissions
        A folder with a folder TASK/ATTEMPT/ for each submission, or a file with one JSON object a line:
        {"id": …, "task": the task folder's name, "workspace": a folder, from the file's own if relative}.
    out
        The file for the verdicts, a line for each submission: {"id", "task", "verdict"}.
    shard
        Judge only a part, like 3/8: the third of eight. The parts' files together are the whole, in another order.
    executor
        Where they are judged: process (the default: processes of this machine), serial (this one), ray (a cluster).
    address
        The Ray cluster's address; a cluster on this machine is started for the run if not given.
    jobs
        Workers side by side; as many as there are cores if not given.
    fast
        Try one pass from the state of the original's build, and build from nothing where that moves anything.
    store
        Where outcomes of builds are kept; ~/.cache/lattice-env/builds if not given.
    json
        Print the summary as JSON instead of a table.
    """
    folders = {folder.name: folder for folder in task_folders(tasks)}
    entries = read_entries(submissions)
    if shard is not None:
        number, count = read_shard(shard)
        entries = entries[number - 1 :: count]
    started = time.monotonic()

    def report(row: Row, done: int, total: int) -> None:
        left = (time.monotonic() - started) / done * (total - done)
        err().print(f"[{done}/{total}, {in_words(left)} left] {_said(row)}", markup=False)

    with open_executor(executor, jobs=count_workers(jobs), address=address) as workers:
        rows = run(folders, entries, out, executor=workers, how=How(store or store_folder(), fast), report=report)
    found = _summary(rows)
    if json:
        print(json_format.dumps(found, indent=1))
    else:
        console().print(_table(found))
    return int(found["verdicts"].get(INFRA_ERROR, 0) > 0)


def _said(row: Row) -> str:
    verdict = row["verdict"]
    said = "no reward" if verdict["reward"] is None else f"reward {verdict['reward']:.3g}"
    return f"{row['id']}: {verdict['status']}, {said}" + (f" ({verdict['error']})" if "error" in verdict else "")


def _summary(rows: list[Row]) -> dict[str, Any]:
    """How many verdicts of which status, and the mean of the rewards."""
    rewards = [row["verdict"]["reward"] for row in rows if row["verdict"]["reward"] is not None]
    counts = Counter(row["verdict"]["status"] for row in rows)
    mean = sum(rewards) / len(rewards) if rewards else None
    return {"submissions": len(rows), "verdicts": dict(sorted(counts.items())), "meanReward": mean}


def _table(found: dict[str, Any]) -> Table:
    table = Table("submissions", "number")
    table.add_row("judged", str(found["submissions"]))
    for status, count in found["verdicts"].items():
        table.add_row(status, str(count))
    mean = found["meanReward"]
    table.add_row("mean reward", "-" if mean is None else f"{mean:.3f}")
    return table
