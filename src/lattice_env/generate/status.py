"""How far runs are, read from their folders by anybody who can read them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from lattice_env.errors import UsageError
from lattice_env.journal import Row, is_open, read_journal

from .output import JOURNAL, MANIFEST, is_admitted

RUNNING, STOPPED, DONE = "running", "stopped", "done"


@dataclass(frozen=True)
class Status:
    """One run, or one shard of a run."""

    folder: Path
    state: str
    """running, stopped (it can be gone on with) or done."""
    done: int
    units: int
    admitted: int
    rejected: int
    workers: int = 0
    seconds_left: float | None = None
    """None where nothing tells; made of how long units took, never of clocks."""
    root: str = ""
    """The digest of what was made, once it is done."""

    def to_json(self) -> dict[str, Any]:
        """The status as one flat object."""
        return asdict(self) | {"folder": str(self.folder)}


def find_runs(folder: Path) -> list[Path]:
    """The folder if a run fills or filled it, else those of its folders in which one did; UsageError for none."""
    if _is_run(folder):
        return [folder]
    found = sorted(path for path in folder.iterdir() if _is_run(path)) if folder.is_dir() else []
    if not found:
        message = f"{folder}: no run of generate, begun or done"
        raise UsageError(message)
    return found


def _is_run(folder: Path) -> bool:
    return (folder / JOURNAL).is_file() or (folder / MANIFEST).is_file()


def read_status(folder: Path) -> Status:
    """How far the run of a folder is."""
    try:
        body = json.loads((folder / MANIFEST).read_text("utf-8"))
    except FileNotFoundError:
        return _of_journal(folder)
    counts = [len(body[name]) for name in ("tasks", "rejected", "without")]
    return Status(folder, DONE, sum(counts), sum(counts), counts[0], counts[1], root=body["root"])


def _of_journal(folder: Path) -> Status:
    running = is_open(folder / JOURNAL)
    lines = read_journal(folder / JOURNAL)
    head, rows = (lines[0], lines[1:]) if lines else ({}, [])
    units, workers = head.get("units", 0), head.get("workers", 1)
    admitted = sum(is_admitted(row) for row in rows)
    rejected = sum(bool(row["task"]) for row in rows) - admitted
    left = seconds_left(rows, units, head.get("limit"), workers)
    return Status(folder, RUNNING if running else STOPPED, len(rows), units, admitted, rejected, workers, left)


def seconds_left(rows: Sequence[Row], units: int, limit: int | None, workers: int) -> float | None:
    """How long `workers` will take for the rest at the pace of the units that are done; None before the first."""
    if not rows:
        return None
    rest = float(units - len(rows))
    admitted = sum(is_admitted(row) for row in rows)
    if limit is not None and admitted:
        rest = min(rest, (limit - admitted) * len(rows) / admitted)
    return max(rest, 0.0) * sum(row["seconds"] for row in rows) / len(rows) / workers
