"""A paper's folder, read whole and written to one file at a time; links and what lies outside are left alone."""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lattice_env.errors import DataError
from lattice_env.model import Files

MOST_FILES, MOST_BYTES = 20_000, 256 << 20
MOST_FILE_BYTES = 64 << 20


@dataclass(frozen=True)
class Project:
    """The regular files of a folder, and what was left out: links, hidden folders, names that no tool agrees on."""

    folder: Path
    files: Files
    skipped: tuple[str, ...]


def sha256(data: bytes) -> str:
    """The SHA-256 of `data`, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def read_project(folder: Path) -> Project:
    """The files of `folder`; DataError where it is none, cannot be read, or holds more than is read."""
    if not folder.is_dir():
        message = f"{folder} is not a folder"
        raise DataError(message, hint="give the folder that holds the paper")
    files: dict[str, bytes] = {}
    skipped: list[str] = []
    size = 0
    for path, wanted in _walk(folder):
        name = path.relative_to(folder).as_posix()
        if not wanted or not _is_plain(name):
            skipped.append(name)
            continue
        files[name] = _read(path)
        size += len(files[name])
        if len(files) > MOST_FILES or size > MOST_BYTES:
            message = f"{folder} holds more than {MOST_FILES} files or {MOST_BYTES >> 20} MB"
            raise DataError(message, hint="give the folder of the paper alone")
    return Project(folder, files, tuple(skipped))


def _walk(folder: Path) -> Iterator[tuple[Path, bool]]:
    """Every entry but folders, in order, and whether it is to be read; hidden folders are not entered."""
    for base, folders, names in os.walk(folder):
        for name in sorted(folders):
            if name.startswith(".") or (Path(base) / name).is_symlink():
                yield Path(base) / name, False
        folders[:] = sorted(n for n in folders if not n.startswith(".") and not (Path(base) / n).is_symlink())
        for name in sorted(names):
            path = Path(base) / name
            status = path.lstat()
            yield path, stat.S_ISREG(status.st_mode) and status.st_size <= MOST_FILE_BYTES


def _is_plain(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return "\\" not in name and name.isprintable()


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror}"
        raise DataError(message) from error


def locate(folder: Path, path: str) -> Path | None:
    """The regular file `path` of `folder`; None where it, or a folder on the way, is a link or leaves the folder."""
    parts = Path(path).parts
    if not parts or Path(path).is_absolute() or ".." in parts:
        return None
    place = folder
    for part in parts:
        place /= part
        if place.is_symlink():
            return None
    inside = place.resolve().is_relative_to(folder.resolve())
    return place if inside and place.is_file() else None


def write_source(folder: Path, path: str, data: bytes) -> bool:
    """Put `data` in the place of one file, all of it or nothing; False where the folder cannot be written."""
    place = locate(folder, path)
    if place is None:
        return False
    try:
        with tempfile.NamedTemporaryFile(dir=place.parent, prefix=".lattice-", delete=False) as file:
            scratch = Path(file.name)
            try:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
                scratch.chmod(stat.S_IMODE(place.stat().st_mode))
                scratch.replace(place)
            except OSError:
                scratch.unlink(missing_ok=True)
                raise
    except OSError:
        return False
    return True
