"""The journal of a run: a line for each piece of work that is done, locked as long as somebody writes it."""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TextIO

from lattice_env.errors import PackageError, UsageError

Row = Mapping[str, Any]
"""One line: what came of a piece of work, and what it took."""

_TRIES, _PAUSE = 20, 0.05
"""How often, and how many seconds apart, a lock is asked for: who only looks holds it for a moment."""


def open_journal(path: Path) -> TextIO:
    """A journal, made if there is none, to append to; UsageError where another run writes it.

    The system lets go of the lock when the run ends, however it ends: neither clocks nor process numbers are compared.
    """
    for _ in range(_TRIES):
        file = path.open("a", encoding="utf-8")
        if _lock(file, fcntl.LOCK_EX) and _is_at(file, path):
            return file
        file.close()
        time.sleep(_PAUSE)
    message = f"{path} is being written by another run"
    raise UsageError(message, hint="wait for that run, or write elsewhere")


def is_open(path: Path) -> bool:
    """Whether a run is writing a journal now, on any machine whose locks reach this one."""
    try:
        with path.open(encoding="utf-8") as file:
            return not _lock(file, fcntl.LOCK_SH)
    except OSError:
        return False


def _lock(file: TextIO, kind: int) -> bool:
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True


def _is_at(file: TextIO, path: Path) -> bool:
    """Whether the open file still is the one at its place."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def append(file: TextIO, row: Row) -> None:
    """Add a line that is on the disk when this returns; PackageError where the disk will not."""
    try:
        file.write(json.dumps(dict(row), sort_keys=True) + "\n")
        file.flush()
        os.fsync(file.fileno())
    except OSError as error:
        message = f"{file.name}: cannot be written: {error.strerror}"
        raise PackageError(message) from error


def replace_journal(file: TextIO, rows: Iterable[Row]) -> TextIO:
    """The journal with these lines and no other, in one step; it stays locked."""
    path = Path(file.name)
    scratch = path.with_name(f".{path.name}.part")
    fresh = scratch.open("w", encoding="utf-8")
    _lock(fresh, fcntl.LOCK_EX)
    for row in rows:
        append(fresh, row)
    scratch.replace(path)
    file.close()
    return fresh


def read_journal(path: Path) -> list[dict[str, Any]]:
    """The lines of a journal, up to the first that is not whole; none where there is no journal."""
    rows: list[dict[str, Any]] = []
    for line in path.read_text("utf-8").split("\n") if path.exists() else ():
        try:
            rows.append(json.loads(line))
        except ValueError:
            break
    return rows
