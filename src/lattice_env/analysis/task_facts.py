"""What reports need to know of task folders: their labels, and digests that tell whether they are the ones tried."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from lattice_env.errors import PackageError, UsageError
from lattice_env.verifier.store import digest

_TEXTS = ("id", "family", "operator", "category", "seed", "verifier")
_PARTS = ("environment", "tests", "solution", "steps")
_SINGLES = ("task.toml", "instruction.md", "README.md")
_LEFT_OUT = ("__pycache__", ".DS_Store")
_LEFT_OUT_ENDS = (".pyc", ".swp", ".swo", "~")


@dataclass(frozen=True)
class TaskFacts:
    """One task folder, by what `task.toml` says of it."""

    name: str
    folder: Path
    id: str
    family: str
    operator: str
    category: str
    seed: str
    tier: int
    verifier: str
    digest: str
    """Harbor's digest of the folder, as in a trial's lock.json."""


def read_tasks(folder: Path) -> dict[str, TaskFacts]:
    """The tasks of a folder by name; UsageError where there is none, PackageError for one that says too little."""
    if (folder / "task.toml").is_file():
        return {folder.resolve().name: read_task(folder.resolve())}
    found = sorted(path.parent for path in folder.glob("*/task.toml"))
    if not found:
        message = f"{folder}: no task folder"
        raise UsageError(message, hint="lattice-env generate makes task folders")
    return {place.name: read_task(place) for place in found}


def read_task(folder: Path) -> TaskFacts:
    """The facts of one task folder."""
    path = folder / "task.toml"
    try:
        body = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        message = f"{path}: {error}"
        raise PackageError(message) from error
    found = body.get("metadata")
    metadata: Mapping[str, Any] = cast("Mapping[str, Any]", found) if isinstance(found, dict) else {}
    for key, kind in (*((key, str) for key in _TEXTS), ("tier", int)):
        if type(metadata.get(key)) is not kind:
            message = f"{path}: metadata.{key} must be {kind.__name__}, not {metadata.get(key)!r}"
            raise PackageError(message, hint="lattice-env generate writes these")
    texts = {key: metadata[key] for key in _TEXTS}
    return TaskFacts(folder.name, folder, **texts, tier=metadata["tier"], digest=harbor_digest(folder))


def harbor_digest(folder: Path) -> str:
    """Harbor's digest of a task folder, as `lock.json` has it: SHA-256 over paths and digests of what it publishes.

    It is the digest that `generate` gives a task, unless something was put beside what is published. A `.gitignore` in
    the task is not followed, as Harbor would; our packages have none.
    """
    return digest({name: path.read_bytes() for name, path in _published(folder)})


def _published(folder: Path) -> Iterator[tuple[str, Path]]:
    singles = (folder / name for name in _SINGLES)
    inner = (path for part in _PARTS for path in (folder / part).rglob("*"))
    for path in (*singles, *inner):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not name.endswith(_LEFT_OUT_ENDS) and not set(_LEFT_OUT) & set(name.split("/")):
            yield name, path
