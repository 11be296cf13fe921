"""A data set: a folder of tasks made ready to be published, with manifest, registry, provenance and card."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from lattice_env.errors import DataError, PackageError, UsageError
from lattice_env.verifier.intake import read_submission
from lattice_env.verifier.store import digest
from lattice_env.verifier.toolchain import TOOLCHAIN

from .harbor import read_package
from .leaks import find_leaks
from .pin import read_pin

CANARY = "lattice-env canary 4b8f1a6e-93d2-4c57-a0e8-6d2f7c19b35a: tasks of a benchmark, not to be trained on unasked"
"""Stands in every package's scripts, in the manifest and on the card: a corpus that holds it holds the solutions."""

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*/[a-z0-9][a-z0-9._-]*")
_UNLABELLED = "any"


@dataclass(frozen=True)
class Row:
    """One task's provenance: a line of `provenance.jsonl`."""

    name: str
    digest: str
    """Harbor's digest of the task: `sha256:` and 64 digits."""
    id: str
    family: str
    family_version: int
    operator: str
    category: str
    tier: int
    seed: str
    licence: str
    redistributable: bool
    verifier: str
    toolchain: str
    """The name of the toolchain that may judge it; `any` where any may."""


def read_rows(tasks: Path, report: Callable[[int, int], None] = lambda _done, _all: None) -> list[Row]:
    """The provenance of every task of a folder, each read, found whole, and looked through for leaks.

    DataError names a task that is not whole, or that tells its answer.
    """
    folders = sorted(path.parent for path in tasks.glob("*/task.toml") if not path.parent.name.startswith(("_", ".")))
    if not folders:
        message = f"{tasks}: no task folders"
        raise UsageError(message, hint="generate --out makes one")
    rows: list[Row] = []
    for folder in folders:
        rows.append(_row(folder))
        report(len(rows), len(folders))
    return rows


def _row(folder: Path) -> Row:
    package = read_package(folder)
    if leaks := find_leaks(package):
        message = f"{folder}: the environment tells the answer: {'; '.join(leaks[:3])}"
        raise PackageError(message, hint="generate the task again, or report the operator")
    body = tomllib.loads((folder / "task.toml").read_text("utf-8"))
    known: dict[str, Any] = body["metadata"]
    try:
        return Row(
            name=body["task"]["name"],
            digest=f"sha256:{digest(read_submission(folder).files)}",
            toolchain=read_pin(package.tests / TOOLCHAIN).name if TOOLCHAIN in package.spec.manifest else _UNLABELLED,
            **{name: known[name] for name in Row.__dataclass_fields__ if name in known},
        )
    except (KeyError, TypeError) as error:
        message = f"{folder / 'task.toml'}: metadata: {error}"
        raise DataError(message) from error


def write_dataset(rows: Sequence[Row], tasks: Path, folder: Path, *, name: str, version: str, description: str) -> None:
    """Write a data set, whole or not at all: `tasks/`, dataset.toml, registry.json, provenance.jsonl, README.md."""
    if not _NAME.fullmatch(name):
        message = f"--name must be organisation/name in lower case, not {name!r}"
        raise UsageError(message)
    if not rows:
        message = "no task is left"
        raise UsageError(message, hint="fewer filters")
    if folder.exists():
        message = f"{folder} is there already"
        raise UsageError(message, hint="name another folder")
    scratch = folder.with_name(f".{folder.name}.part")
    try:
        shutil.rmtree(scratch, ignore_errors=True)
        for row in rows:
            short = row.name.rpartition("/")[2]
            shutil.copytree(tasks / short, scratch / "tasks" / short)
        texts = {
            "dataset.toml": _manifest(rows, name, version, description),
            "registry.json": _registry(rows, name, version, description),
            "provenance.jsonl": "".join(json.dumps(asdict(row), sort_keys=True) + "\n" for row in rows),
            "README.md": _card(rows, name, version, description),
        }
        for path, text in texts.items():
            (scratch / path).write_text(text, "utf-8")
        scratch.rename(folder)
    except OSError as error:
        shutil.rmtree(scratch, ignore_errors=True)
        message = f"{folder}: cannot be written: {error.strerror or error}"
        raise DataError(message) from error


def _manifest(rows: Sequence[Row], name: str, version: str, description: str) -> str:
    """Harbor's manifest: each task by name and digest."""
    words = {"name": name, "version": version, "description": description}
    lines = [f"# {CANARY}", 'schema_version = "1.0"', "", "[dataset]"]
    lines += [f"{key} = {json.dumps(word, ensure_ascii=False)}" for key, word in words.items()]
    for row in rows:
        lines += ["", "[[tasks]]", f'name = "{row.name}"', f'digest = "{row.digest}"']
    return "\n".join(lines) + "\n"


def _registry(rows: Sequence[Row], name: str, version: str, description: str) -> str:
    """A registry of one data set for `harbor run --registry-path`, its paths relative to where it is run."""
    tasks = [{"name": row.name, "path": f"tasks/{row.name.rpartition('/')[2]}"} for row in rows]
    body = {"name": name, "version": version, "description": description, "tasks": tasks}
    return json.dumps([body], indent=1, sort_keys=True) + "\n"


def _card(rows: Sequence[Row], name: str, version: str, description: str) -> str:
    """The card: what is in it, under which licences, how it is judged."""
    licences = sorted({row.licence for row in rows})
    redistributable = sum(row.redistributable for row in rows)
    head = [
        "---",
        f"pretty_name: {json.dumps(name)}",
        "language: [en]",
        "license: other",
        "tags: [latex, harbor]",
        "---",
    ]
    lines = [*head, "", f"# {name} {version}", "", description, "", f"`{CANARY}`", ""]
    lines += [
        f"{len(rows)} tasks; {redistributable} of them from papers that may be redistributed.",
        "A program judges each, in the task's own `tests/`; `provenance.jsonl` has a line for each task.",
        "",
        f"Licences of the papers: {', '.join(licences)}.",
        f"Toolchain: {', '.join(sorted({row.toolchain for row in rows}))}.",
        f"Verifier: {', '.join(sorted({row.verifier[:12] for row in rows}))}.",
        "",
    ]
    for title in ("family", "tier", "category", "seed", "licence"):
        lines += _table(title, (str(getattr(row, title)) for row in rows))
    lines += ["## Use", "", "```", "harbor run -p tasks -a oracle", "harbor run -p tasks -a nop", "```"]
    return "\n".join(lines) + "\n"


def _table(title: str, words: Iterable[str]) -> list[str]:
    counts = Counter(words)
    rows = [f"| {word} | {count} |" for word, count in sorted(counts.items())]
    return [f"| {title} | tasks |", "|---|---|", *rows, ""]
