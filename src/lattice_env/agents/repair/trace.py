"""The evidence of a run: a trace whose every line carries the digest of the line before, and a manifest."""

from __future__ import annotations

import json
import os
import posixpath
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from lattice_env.errors import DataError, UsageError

from .project import sha256

TRACE, MANIFEST, START, DIFF, FIRST_LOG, LAST_LOG, REPORT = (
    "trace.jsonl",
    "manifest.sha256",
    "start",
    "repair.diff",
    "first.log",
    "last.log",
    "report.html",
)
NOTHING = "0" * 64
"""What the first line of a trace carries."""

type Line = Mapping[str, object]


@dataclass
class Trace:
    """The trace of a run, written line by line; what is written is on the disk."""

    folder: Path
    last: str = NOTHING
    lines: list[Line] = field(default_factory=list[Line])
    started: float = field(default_factory=time.monotonic)

    def write(self, event: str, **facts: object) -> None:
        """Add one line."""
        line = {"step": len(self.lines), "event": event, **facts}
        line |= {"at": round(time.monotonic() - self.started, 3), "before": self.last}
        text = json.dumps(line, ensure_ascii=False, sort_keys=True)
        with (self.folder / TRACE).open("a", encoding="utf-8") as file:
            file.write(text + "\n")
            file.flush()
            os.fsync(file.fileno())
        self.last = sha256(text.encode())
        self.lines.append(line)


def new_run(folder: Path) -> Path:
    """A fresh folder for a run; UsageError where there is something in it, or it cannot be made."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            message = f"{folder} is not empty"
            raise UsageError(message, hint="a run's evidence has a folder of its own")
    except OSError as error:
        message = f"{folder} cannot be made: {error.strerror}"
        raise UsageError(message) from error
    return folder


def write_file(folder: Path, name: str, data: bytes) -> None:
    """One file of the evidence."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def write_manifest(folder: Path) -> None:
    """`manifest.sha256` over all files of the run, in the form that `sha256sum -c` reads."""
    names = sorted(name for name in _files(folder) if name != MANIFEST)
    lines = [f"{sha256((folder / name).read_bytes())}  {name}\n" for name in names]
    write_file(folder, MANIFEST, "".join(lines).encode())


def manifest_faults(folder: Path) -> Iterator[str]:
    """What differs between a run's files and its manifest."""
    listed: dict[str, str] = {}
    for line in (folder / MANIFEST).read_text("utf-8").splitlines():
        content, _, name = line.partition("  ")
        listed[name] = content
    present = set(_files(folder)) - {MANIFEST}
    for name in sorted(listed.keys() - present):
        yield f"{name} is in the manifest and not in the run"
    for name in sorted(present - listed.keys()):
        yield f"{name} is in the run and not in the manifest"
    for name in sorted(present & listed.keys()):
        if sha256((folder / name).read_bytes()) != listed[name]:
            yield f"{name} is not what the manifest says"


def _files(folder: Path) -> Iterator[str]:
    return (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file() or path.is_symlink())


def pdf_name(root: str) -> str:
    """What the PDF of a root is called in the evidence."""
    return posixpath.basename(posixpath.splitext(root)[0]) + ".pdf"


def read_trace(folder: Path) -> tuple[list[dict[str, object]], list[str]]:
    """The lines of a trace, and what is wrong with its chain; DataError where there is none."""
    try:
        text = (folder / TRACE).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        message = f"{folder} holds no {TRACE} that can be read"
        raise DataError(message, hint="give the folder that lattice-env repair --out named") from error
    lines: list[dict[str, object]] = []
    faults: list[str] = []
    last = NOTHING
    for number, line in enumerate(text.splitlines()):
        try:
            facts: object = json.loads(line)
        except ValueError:
            faults.append(f"step {number}: the line is no JSON")
            break
        found = cast("dict[str, object]", facts) if isinstance(facts, dict) else {}
        if found.get("before") != last or found.get("step") != number:
            faults.append(f"step {number}: it does not carry the digest of the line before")
            break
        lines.append(found)
        last = sha256(line.encode())
    return lines, faults
