"""The output folder: packages in order, a journal while it grows, a manifest when it is whole."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lattice_env.errors import PackageError, UsageError
from lattice_env.packages import package_files
from lattice_env.packages.harbor import write_files
from lattice_env.verifier.judge import verifier_digest
from lattice_env.verifier.store import digest

from .plan import Plan
from .worker import Outcome

JOURNAL, MANIFEST, REJECTED = "_progress.jsonl", "manifest.json", "_rejected"

Row = Mapping[str, Any]
"""A unit's line in the journal: what the manifest needs, and what it took."""


@dataclass
class Output:
    """A folder that is being filled. Killed at any moment, it can be gone on with."""

    folder: Path
    plan: Plan
    rows: list[Row] = field(default_factory=list[Row])

    def add(self, outcome: Outcome) -> Row:
        """Write what a unit yielded, then its line in the journal; PackageError where the disk will not."""
        row = _row(outcome)
        if outcome.task:
            files = package_files(outcome.task, self.plan.pin)
            place = self.folder / (REJECTED if outcome.failures else "") / outcome.task.name
            row |= {"digest": digest(files)}
            if place.exists():
                shutil.rmtree(place)
            write_files(files, place)
        self.rows.append(row)
        _append(self.folder / JOURNAL, row)
        return row

    def drop_if_empty(self) -> None:
        """Take a folder away again in which nothing was made."""
        if not self.rows and (self.folder / JOURNAL).exists():
            (self.folder / JOURNAL).unlink()
            with contextlib.suppress(OSError):
                self.folder.rmdir()

    def finish(self) -> None:
        """Write the manifest and drop the journal: the folder is whole now."""
        body = {
            "plan": self.plan.digest,
            "verifier": verifier_digest(),
            "tasks": [_manifest_row(row) for row in self.rows if row["task"] and not row["failures"]],
            "rejected": [_manifest_row(row) for row in self.rows if row["task"] and row["failures"]],
            "without": [_manifest_row(row) for row in self.rows if not row["task"]],
        }
        scratch = self.folder / f".{MANIFEST}.part"
        try:
            scratch.write_text(json.dumps(body, indent=1, sort_keys=True) + "\n", "utf-8")
            scratch.replace(self.folder / MANIFEST)
            (self.folder / JOURNAL).unlink()
        except OSError as error:
            message = f"{self.folder}: cannot be written: {error.strerror}"
            raise PackageError(message) from error


def open_output(folder: Path, plan: Plan, *, resume: bool) -> Output:
    """A new output folder, or with `resume` one that was begun with the same arguments; else UsageError."""
    if folder.exists() and not folder.is_dir():
        message = f"{folder} is not a folder"
        raise UsageError(message)
    listed = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
    if listed and not resume:
        message = f"{folder} is not empty"
        raise UsageError(message, hint="--resume goes on with an interrupted run; else name another folder")
    if MANIFEST in listed:
        _check_plan(folder, json.loads((folder / MANIFEST).read_text("utf-8")), plan)
        (folder / JOURNAL).unlink(missing_ok=True)
        message = f"{folder} is complete: there is nothing to resume"
        raise UsageError(message)
    if not listed or (listed == [JOURNAL] and not (folder / JOURNAL).read_bytes().strip()):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            _append(folder / JOURNAL, {"plan": plan.digest})
        except OSError as error:
            message = f"{folder}: cannot be made: {error.strerror}"
            raise UsageError(message) from error
        return Output(folder, plan)
    if JOURNAL not in listed:
        message = f"{folder} holds no interrupted run"
        raise UsageError(message, hint="name another folder")
    return _reopened(folder, plan)


def _reopened(folder: Path, plan: Plan) -> Output:
    lines = [line for line in (folder / JOURNAL).read_text("utf-8").split("\n") if line]
    rows: list[dict[str, Any]] = []
    for line in lines:
        try:
            rows.append(json.loads(line))
        except ValueError:
            break
    _check_plan(folder, rows[0] if rows else {}, plan)
    kept: list[Row] = []
    for row, unit in zip(rows[1:], plan.units, strict=False):
        if (row["seed"], row["operator"], row.get("number", 0)) != (
            unit.seed,
            unit.operator,
            unit.number,
        ) or not _is_there(folder, row):
            break
        kept.append(row)
    _sweep(folder, kept)
    text = "".join(json.dumps(row, sort_keys=True) + "\n" for row in [rows[0], *kept])
    scratch = folder / f".{JOURNAL}.part"
    scratch.write_text(text, "utf-8")
    scratch.replace(folder / JOURNAL)
    return Output(folder, plan, kept)


def _check_plan(folder: Path, body: Row, plan: Plan) -> None:
    if body.get("plan") != plan.digest:
        message = f"{folder} was begun with other arguments, other seeds or another version"
        raise UsageError(message, hint="name another folder")


def _place(folder: Path, row: Row) -> Path:
    return folder / (REJECTED if row["failures"] else "") / row["task"]


def _is_there(folder: Path, row: Row) -> bool:
    """Whether a unit's package lies whole where its line says."""
    if not row["task"]:
        return True
    place = _place(folder, row)
    files = {path.relative_to(place).as_posix(): path.read_bytes() for path in place.rglob("*") if path.is_file()}
    return digest(files) == row["digest"]


def _sweep(folder: Path, kept: list[Row]) -> None:
    """Take away what a killed run left half done: folders that no line of the journal speaks of."""
    known = {_place(folder, row) for row in kept if row["task"]}
    for parent in (folder, folder / REJECTED):
        for path in sorted(parent.iterdir()) if parent.is_dir() else ():
            if path.name in (JOURNAL, REJECTED) or path in known:
                continue
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()
    if (folder / REJECTED).is_dir() and not any((folder / REJECTED).iterdir()):
        (folder / REJECTED).rmdir()


def _row(outcome: Outcome) -> dict[str, Any]:
    unit, task = outcome.unit, outcome.task
    row: dict[str, Any] = {"seed": unit.seed, "operator": unit.operator, "sites": outcome.sites}
    row |= {"number": unit.number} if unit.number else {}
    row |= {"tried": outcome.tried, "builds": outcome.builds, "seconds": round(outcome.seconds, 3)}
    row |= {"task": task.name if task else None, "failures": list(outcome.failures), **outcome.notes}
    row |= {"edit": outcome.edit} if outcome.edit else {}
    if task:
        row |= {"family": task.family, "category": task.category, "tier": task.tier, "id": task.spec.task}
        row |= {"diagnostic": task.diagnostic, "cases": len(task.cases), "licence": task.licence}
        row |= {"redistributable": task.redistributable}
        row |= {"provenance": dict(task.provenance)} if task.provenance else {}
    return row


def _manifest_row(row: Row) -> dict[str, Any]:
    """A journal line without what differs from run to run."""
    return {name: value for name, value in row.items() if name not in ("builds", "seconds")}


def _append(path: Path, row: Row) -> None:
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(dict(row), sort_keys=True) + "\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        message = f"{path}: cannot be written: {error.strerror}"
        raise PackageError(message) from error
