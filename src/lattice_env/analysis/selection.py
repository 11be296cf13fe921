"""A choice of task folders by their labels, copied with a manifest: what a learner is given."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from lattice_env.errors import LatticeError, PackageError, UsageError
from lattice_env.keys import Choices
from lattice_env.packages.harbor import write_files

from .calibration_file import Labelled
from .task_facts import TaskFacts

MANIFEST = "manifest.json"


def chosen(rows: Sequence[Labelled], labels: Collection[str], *, balance: bool, limit: int | None) -> list[Labelled]:
    """The tasks with one of `labels`, by name; of these at most `limit`.

    With `balance` each operator has as many as any other, give or take one where the limit does not divide, or all
    that it has; without a limit, as many as the rarest has. Among an operator's tasks the seeds take turns. Which of
    several equal tasks is taken depends on the tasks' ids alone. LatticeError where none has such a label.
    """
    if limit is not None and limit < 1:
        message = f"--limit must be at least 1, not {limit}"
        raise UsageError(message)
    fitting = [row for row in rows if row.label in labels]
    if not fitting:
        message = f"no task is {' or '.join(sorted(labels))}"
        raise LatticeError(message, hint="lattice-env calibrate tells how many tasks have which label")
    order = _balanced(fitting) if balance else sorted(fitting, key=lambda row: row.task)
    most = limit if limit is not None else _even(fitting) if balance else len(order)
    return sorted(order[:most], key=lambda row: row.task)


def _even(rows: Sequence[Labelled]) -> int:
    """How many tasks there are when each operator has as many as the rarest one."""
    counts = Counter(row.operator for row in rows)
    return min(counts.values()) * len(counts)


def _balanced(rows: Sequence[Labelled]) -> list[Labelled]:
    """All rows in an order whose every beginning is as even as it can be: operators take turns, seeds within them."""
    shuffled = Choices("select", *sorted(row.id for row in rows)).shuffled(sorted(rows, key=lambda row: row.id))
    used: Counter[str] = Counter()
    queues = _by(shuffled, lambda row: row.operator)
    order: list[Labelled] = []
    while queues:
        for operator, queue in list(queues.items()):
            row = min(queue, key=lambda row: used[row.seed])
            queue.remove(row)
            used[row.seed] += 1
            order.append(row)
            if not queue:
                del queues[operator]
    return order


def _by(rows: Sequence[Labelled], key: Callable[[Labelled], str]) -> dict[str, list[Labelled]]:
    groups: dict[str, list[Labelled]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups


def copy_selection(
    rows: Sequence[Labelled], tasks: Mapping[str, TaskFacts], folder: Path, *, calibration: bytes, labels: Sequence[str]
) -> None:
    """Write the chosen task folders and their manifest as `folder`, whole or not at all.

    Raises PackageError for a task that is not there or is not the one that was calibrated, UsageError where `folder`
    has something in it already.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        message = f"{folder} is not an empty folder"
        raise UsageError(message, hint="name a new folder")
    folder = folder.resolve()
    scratch = folder.with_name(f".{folder.name}.part")
    shutil.rmtree(scratch, ignore_errors=True)
    try:
        written = [_copy(row, tasks.get(row.task), scratch) for row in rows]
        body = {"format": 1, "calibration": hashlib.sha256(calibration).hexdigest(), "labels": sorted(labels)}
        text = json.dumps({**body, "tasks": written}, indent=1, sort_keys=True) + "\n"
        (scratch / MANIFEST).write_text(text, "utf-8")
        if folder.exists():
            folder.rmdir()
        scratch.rename(folder)
    except OSError as error:
        message = f"{folder}: cannot be written: {error.strerror}"
        raise UsageError(message) from error
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _copy(row: Labelled, task: TaskFacts | None, scratch: Path) -> dict[str, object]:
    """Copy one task folder; its line in the manifest, with the digest that `generate` and Harbor give it too."""
    if task is None:
        message = f"{row.task}: calibrated, and not in the folder of tasks"
        raise PackageError(message, hint="give the folder of tasks that was calibrated")
    if task.digest != row.digest:
        message = f"{task.folder}: not as it was calibrated: edited since"
        raise PackageError(message, hint="calibrate again, or generate the task again")
    write_files(_files(task.folder), scratch / row.task)
    return {**asdict(row), "family": task.family, "tier": task.tier}


def _files(folder: Path) -> dict[str, bytes]:
    links = [path for path in folder.rglob("*") if path.is_symlink()]
    if links:
        message = f"{links[0]}: a link; task folders hold files only"
        raise PackageError(message)
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
