"""Shards put together: what all parts of a plan made becomes what the plan makes, to the byte."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lattice_env.errors import DataError, UsageError
from lattice_env.journal import Row
from lattice_env.verifier.judge import verifier_digest
from lattice_env.verifier.store import Store, digest

from .maker import Product, Unit
from .output import JOURNAL, MANIFEST, REJECTED, is_admitted, open_output, root_of
from .plan import Plan
from .run import Report, Totals


@dataclass(frozen=True)
class _Merged:
    """The maker of a plan whose tasks are made already."""

    needs_tex: bool = False

    def check(self, _seed: str, _store: Store, /) -> None:
        """Nothing: the seeds were looked at where the tasks were made."""

    def make(self, _unit: Unit, _store: Store, /) -> Product:
        """No task."""
        return Product(None, 0, 0)


@dataclass(frozen=True)
class _Part:
    """One finished shard."""

    folder: Path
    manifest: Mapping[str, Any]

    @property
    def shard(self) -> Mapping[str, Any]:
        """Its number, how many there are, how many units the plan has, and its limit."""
        return self.manifest["shard"]


def merge(shards: Sequence[Path], folder: Path, *, resume: bool = False, report: Report) -> Totals:
    """Fill `folder` with the tasks of all shards of a plan, in any order; the same bytes as a run of the whole plan.

    Raises DataError for a shard that is not whole, is missing, or is of another plan, UsageError for a folder that
    cannot be used.
    """
    parts = _parts(shards)
    rows = {row["index"]: (part, row) for part in parts for row in _rows(part)}
    first = parts[0]
    taken = list(_taken(rows, first.shard["units"], first.shard["limit"]))
    units = tuple(Unit(row["seed"], row["operator"], row.get("number", 0)) for _, row in taken)
    plan = Plan(units, _Merged(), first.shard["limit"], first.manifest["plan"])
    with open_output(folder, plan, resume=resume) as output:
        for part, row in taken[len(output.rows) :]:
            output.put(row, _files(part, row))
            report(row, len(output.rows), len(units))
        root = output.finish()
    return Totals(tuple(output.rows), root)


def _parts(shards: Sequence[Path]) -> list[_Part]:
    """All parts of one plan, each once; what is given twice must be the same twice."""
    parts: dict[int, _Part] = {}
    for folder in shards:
        part = _read(folder)
        first = next(iter(parts.values()), part)
        _check_fits(part, first)
        same = parts.setdefault(part.shard["number"], part)
        if same.manifest["root"] != part.manifest["root"]:
            message = f"{same.folder} and {folder} are the same shard and differ"
            raise DataError(message)
    if not parts:
        message = "no shard is named"
        raise UsageError(message)
    count = next(iter(parts.values())).shard["count"]
    missing = [str(number) for number in range(1, count + 1) if number not in parts]
    if missing:
        message = f"of {count} shards these are missing: {', '.join(missing)}"
        raise DataError(message)
    return list(parts.values())


def _read(folder: Path) -> _Part:
    try:
        manifest: dict[str, Any] = json.loads((folder / MANIFEST).read_text("utf-8"))
    except FileNotFoundError as error:
        begun = (folder / JOURNAL).exists()
        message = f"{folder}: {'this shard is not finished' if begun else 'no shard: it has no manifest.json'}"
        raise DataError(message, hint="generate --resume goes on with it" if begun else "") from error
    except (OSError, ValueError) as error:
        message = f"{folder / MANIFEST}: {error}"
        raise DataError(message) from error
    if "shard" not in manifest:
        message = f"{folder}: no shard of a plan"
        raise UsageError(message, hint="generate --shard 1/8 makes one")
    part = _Part(folder, manifest)
    if root_of(part.manifest) != part.manifest.get("root"):
        message = f"{folder / MANIFEST}: not as it was written"
        raise DataError(message, hint="make this shard again")
    return part


def _check_fits(part: _Part, first: _Part) -> None:
    """DataError for a part that is of another plan than the first, or of another version of this package."""
    same = [(each.manifest["plan"], each.shard["count"], each.shard["units"]) for each in (part, first)]
    if same[0] != same[1]:
        message = f"{part.folder} and {first.folder} are shards of different plans"
        raise DataError(message)
    for each in (part, first):
        if each.manifest["verifier"] != verifier_digest():
            message = f"{each.folder} was made with another version of the verifier"
            raise DataError(message, hint="merge with the version that made the shards")


def _rows(part: _Part) -> Iterator[dict[str, Any]]:
    for name in ("tasks", "rejected", "without"):
        yield from part.manifest[name]


def _taken(rows: Mapping[int, tuple[_Part, Row]], units: int, limit: int | None) -> Iterator[tuple[_Part, Row]]:
    """The rows that a run of the whole plan has, in its order, as its journal has them."""
    admitted = 0
    for index in range(units):
        if limit is not None and admitted >= limit:
            return
        part, row = rows[index]
        admitted += is_admitted(row)
        own = {name: value for name, value in row.items() if name != "index"}
        yield part, {**own, "builds": 0, "seconds": 0.0}


def _files(part: _Part, row: Row) -> dict[str, bytes]:
    """The package of a row as it lies in its shard; DataError where it is not what the shard's manifest says."""
    if not row["task"]:
        return {}
    place = part.folder / ("" if is_admitted(row) else REJECTED) / row["task"]
    files = {
        path.relative_to(place).as_posix(): path.read_bytes() for path in sorted(place.rglob("*")) if path.is_file()
    }
    if digest(files) != row["digest"]:
        message = f"{place}: not as the shard was made"
        raise DataError(message, hint="make this shard again")
    return files
