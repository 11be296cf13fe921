"""`lattice-env select`."""

from __future__ import annotations

import json as json_format
from dataclasses import asdict
from pathlib import Path

from rich.table import Table
from rich.text import Text

from lattice_env.analysis.calibration import LABELS
from lattice_env.analysis.calibration_file import read_labels
from lattice_env.analysis.selection import chosen, copy_selection
from lattice_env.analysis.task_facts import read_tasks
from lattice_env.errors import UsageError

from .calibrate import figure
from .places import out


def select(
    calibration: Path,
    *,
    tasks: Path,
    copy_to: Path,
    label: list[str] | None = None,
    balance: bool = False,
    limit: int | None = None,
    json: bool = False,
) -> int:
    """Copy the tasks with a label into a new folder, with a manifest of digests.

    The same calibration and tasks give the same folder. A task that was edited since it was calibrated is refused,
    with exit code 4; exit code 1 if no task has the label.

    Parameters
    ----------
    calibration
        The calibration.json that `calibrate --out` wrote.
    tasks
        The folder of the tasks that were calibrated.
    copy_to
        The folder for the copies: new or empty.
    label
        KEEP, TRIVIAL, UNSOLVABLE or UNDERSAMPLED; repeatable; KEEP if not given.
    balance
        As many tasks of every operator as of any other, with seeds taking turns among them.
    limit
        At most this many tasks.
    json
        Print the chosen tasks as JSON instead of a table.
    """
    labels = label or ["KEEP"]
    unknown = sorted(set(labels) - set(LABELS))
    if unknown:
        message = f"--label must be one of {', '.join(LABELS)}, not {unknown[0]!r}"
        raise UsageError(message)
    rows = chosen(read_labels(calibration), labels, balance=balance, limit=limit)
    copy_selection(rows, read_tasks(tasks), copy_to, calibration=calibration.read_bytes(), labels=labels)
    if json:
        print(json_format.dumps([asdict(row) for row in rows], indent=1, sort_keys=True))
        return 0
    table = Table("task", "label", "operator", "seed", title=f"{len(rows)} tasks copied to {copy_to}")
    table.add_column("mean", justify="right")
    for row in rows:
        table.add_row(*map(Text, (row.task, row.label, row.operator, row.seed, figure(row.mean))))
    out().print(table)
    return 0
