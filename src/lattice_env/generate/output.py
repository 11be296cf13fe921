"""The output folder: packages in order, a journal while it grows, a manifest when it is whole."""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
from collections.abc import Generator, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TextIO

from lattice_env.errors import LatticeError, PackageError, UsageError
from lattice_env.journal import Row, append, open_journal, read_journal, replace_journal
from lattice_env.packages import package_files
from lattice_env.packages.harbor import write_files
from lattice_env.verifier.judge import verifier_digest
from lattice_env.verifier.store import digest

from .plan import Plan
from .worker import Outcome

JOURNAL, MANIFEST, REJECTED = "_progress.jsonl", "manifest.json", "_rejected"


@dataclass
class Output:
    """A folder that is being filled. Killed at any moment, it can be gone on with."""

    folder: Path
    plan: Plan
    journal: TextIO
    rows: list[Row] = field(default_factory=list[Row])

    @property
    def admitted(self) -> int:
        """How many tasks are in."""
        return sum(is_admitted(row) for row in self.rows)

    def add(self, outcome: Outcome) -> Row:
        """Write what a unit yielded, then its line in the journal; PackageError where the disk will not."""
        row = _row(outcome)
        files = package_files(outcome.task, self.plan.pin) if outcome.task else {}
        return self.put(row | ({"digest": digest(files)} if files else {}), files)

    def put(self, row: Row, files: Mapping[str, bytes]) -> Row:
        """Write a unit's package, if it has one, then its line."""
        if row["task"]:
            place = _place(self.folder, row)
            if place.exists():
                shutil.rmtree(place)
            write_files(files, place)
        self.rows.append(row)  # before its line: an interrupt between the two must not take the folder for empty
        append(self.journal, row)
        return row

    def finish(self) -> str:
        """Write the manifest and drop the journal: the folder is whole now. The digest of all of it."""
        body = manifest_of(self.plan, self.rows)
        scratch = self.folder / f".{MANIFEST}.part"
        try:
            scratch.write_text(json.dumps(body, indent=1, sort_keys=True) + "\n", "utf-8")
            scratch.replace(self.folder / MANIFEST)
            (self.folder / JOURNAL).unlink()
        except OSError as error:
            message = f"{self.folder}: cannot be written: {error.strerror}"
            raise PackageError(message) from error
        return body["root"]

    def close(self) -> None:
        """Let go of the folder, and take it away again if nothing was made."""
        if not self.rows and (self.folder / JOURNAL).exists():
            (self.folder / JOURNAL).unlink()
            with contextlib.suppress(OSError):
                self.folder.rmdir()
        self.journal.close()


def is_admitted(row: Row) -> bool:
    """Whether a unit yielded a task whose self-tests all held."""
    return bool(row["task"] and not row["failures"])


def manifest_of(plan: Plan, rows: Iterable[Row]) -> dict[str, Any]:
    """The manifest of a folder; `root` is the SHA-256 of all else that it says, digests of packages included."""
    groups: dict[str, list[Row]] = {"tasks": [], "rejected": [], "without": []}
    for position, row in enumerate(rows):
        group = "tasks" if is_admitted(row) else "rejected" if row["task"] else "without"
        place = {"index": plan.shard.place(position)} if plan.shard else {}
        groups[group].append(place | _manifest_row(row))
    body: dict[str, Any] = {"plan": plan.digest, "verifier": verifier_digest(), **groups}
    if plan.shard:
        body |= {"shard": _shard_body(plan)}
    return body | {"root": root_of(body)}


def _shard_body(plan: Plan) -> dict[str, Any] | None:
    """What a shard's manifest says of its place in the whole; None for a whole plan."""
    return asdict(plan.shard) | {"limit": plan.limit} if plan.shard else None


def root_of(manifest: Mapping[str, Any]) -> str:
    """SHA-256 over a manifest without its own `root`."""
    body = {name: value for name, value in manifest.items() if name != "root"}
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


@contextlib.contextmanager
def open_output(folder: Path, plan: Plan, *, resume: bool, workers: int = 1) -> Generator[Output]:
    """A new output folder, or with `resume` one that was begun with the same arguments; else UsageError.

    It is locked until it is left: two runs never fill one folder.
    """
    _check_usable(folder, plan, resume=resume)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        journal = open_journal(folder / JOURNAL)
    except OSError as error:
        message = f"{folder}: cannot be made: {error.strerror}"
        raise UsageError(message) from error
    try:
        _check_complete(folder, plan)  # another run may have ended between the first look and the lock
        output = _begin(folder, plan, journal, workers)
    except LatticeError:
        journal.close()
        raise
    try:
        yield output
    finally:
        output.close()


def _check_usable(folder: Path, plan: Plan, *, resume: bool) -> None:
    """UsageError for a folder in which this run can neither begin nor go on; nothing is changed in it."""
    if folder.exists() and not folder.is_dir():
        message = f"{folder} is not a folder"
        raise UsageError(message)
    listed = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
    if listed and not resume:
        message = f"{folder} is not empty"
        raise UsageError(message, hint="--resume goes on with an interrupted run; else name another folder")
    _check_complete(folder, plan)
    if listed and JOURNAL not in listed:
        message = f"{folder} holds no interrupted run"
        raise UsageError(message, hint="name another folder")


def _check_complete(folder: Path, plan: Plan) -> None:
    """UsageError where a folder is whole."""
    if (folder / MANIFEST).exists():
        body: dict[str, Any] = json.loads((folder / MANIFEST).read_text("utf-8"))
        same = body.get("shard") == _shard_body(plan)
        _check_plan(folder, plan.digest if same else "", body)
        (folder / JOURNAL).unlink(missing_ok=True)
        message = f"{folder} is complete: there is nothing to resume"
        raise UsageError(message)


def _begin(folder: Path, plan: Plan, journal: TextIO, workers: int) -> Output:
    """Take up what the journal tells of, and write its first line: the plan, and who is at it."""
    lines = read_journal(folder / JOURNAL)
    if lines:
        _check_plan(folder, plan.identity, lines[0])
    rows: list[Row] = []
    for row, unit in zip(lines[1:], plan.units, strict=False):
        planned = (unit.seed, unit.operator, unit.number)
        if (row["seed"], row["operator"], row.get("number", 0)) != planned or not _is_there(folder, row):
            break
        rows.append(row)
    _sweep(folder, rows)
    head = {"plan": plan.identity, "units": len(plan.units), "limit": plan.limit, "workers": workers}
    try:
        return Output(folder, plan, replace_journal(journal, [head, *rows]), rows)
    except OSError as error:
        message = f"{folder}: cannot be written: {error.strerror}"
        raise UsageError(message) from error


def _check_plan(folder: Path, wanted: str, body: Row) -> None:
    if body.get("plan") != wanted:
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
