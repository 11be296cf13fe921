"""Reading a submitted folder without trusting anything in it: the gate `import`."""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from .verdict import Finding

MOST_ENTRIES, MOST_DEPTH = 2000, 16
MOST_FILE_BYTES, MOST_BYTES = 16 << 20, 64 << 20

_PORTABLE = re.compile(r"[^\x00-\x1f\x7f<>:\"|?*\\/]{1,200}")


@dataclass(frozen=True)
class Submission:
    """The submitted files, and what was wrong with the folder that held them."""

    files: Mapping[str, bytes]
    findings: tuple[Finding, ...] = ()


@dataclass
class _Reader:
    findings: list[Finding] = field(default_factory=list[Finding])
    files: dict[str, bytes] = field(default_factory=dict[str, bytes])
    entries: int = 0
    size: int = 0


def read_submission(folder: Path) -> Submission:
    """All regular files below `folder`; every entry that is not one is a finding, and is not read."""
    reader = _Reader()
    try:
        top = folder.lstat()
    except OSError:
        return Submission({}, (Finding("no-folder", text=f"{folder.name} is not there"),))
    if not stat.S_ISDIR(top.st_mode):
        return Submission({}, (Finding("no-folder", text=f"{folder.name} is not a folder"),))
    for _ in _walk(folder, "", 0, reader):
        if reader.entries > MOST_ENTRIES or reader.size > MOST_BYTES:
            reader.findings.append(Finding("too-large", text="more entries or bytes than are read"))
            break
    return Submission(reader.files, tuple(reader.findings))


def check_files(files: Mapping[str, bytes]) -> list[Finding]:
    """What a set of names must not hold, however it got here: unlawful names, and two that fold together."""
    found = [finding for name in files for finding in _name_findings(name)]
    folded: dict[str, str] = {}
    for path in sorted(set(files) | {parent for name in files for parent in _parents(name)}):
        other = folded.setdefault(fold(path), path)
        if other != path:
            found.append(Finding("folds", path, text=f"the same name as {other} where case is folded"))
    if sum(map(len, files.values())) > MOST_BYTES or len(files) > MOST_ENTRIES:
        found.append(Finding("too-large", text="more files or bytes than are read"))
    return found


def _parents(path: str) -> Iterator[str]:
    parts = path.split("/")
    return ("/".join(parts[:end]) for end in range(1, len(parts)))


def fold(path: str) -> str:
    """The name under which a file system that folds case and Unicode forms would keep `path`."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


def _walk(folder: Path, prefix: str, depth: int, reader: _Reader) -> Iterator[None]:
    try:
        with os.scandir(folder) as entries:
            listed = sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        reader.findings.append(_unreadable(prefix, error))
        return
    for entry in listed:
        reader.entries += 1
        path = prefix + entry.name
        try:
            status = entry.stat(follow_symlinks=False)
        except OSError as error:  # a path longer than the system takes, an entry that went away
            reader.findings.append(_unreadable(path, error))
            yield
            continue
        if stat.S_ISDIR(status.st_mode) and depth < MOST_DEPTH:
            reader.findings += _name_findings(path)
            yield from _walk(folder / entry.name, f"{path}/", depth + 1, reader)
        elif stat.S_ISDIR(status.st_mode):
            reader.findings.append(Finding("too-deep", path))
        else:
            _take(folder / entry.name, path, status, reader)
        yield


def _take(place: Path, path: str, status: os.stat_result, reader: _Reader) -> None:
    """Read one entry that is no folder, or say why it is not read."""
    if not stat.S_ISREG(status.st_mode):
        reader.findings.append(Finding("not-a-file", path, text=stat.filemode(status.st_mode)))
    elif status.st_nlink != 1:
        reader.findings.append(Finding("hard-link", path, text=f"{status.st_nlink} links"))
    elif status.st_size > MOST_FILE_BYTES:
        reader.findings.append(Finding("too-large", path, text=f"{status.st_size} bytes"))
    else:
        reader.size += status.st_size
        if reader.size <= MOST_BYTES:
            _read(place, path, status, reader)


def _read(place: Path, path: str, status: os.stat_result, reader: _Reader) -> None:
    try:
        descriptor = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as file:
            if os.path.samestat(os.fstat(descriptor), status):
                reader.files[path] = file.read(MOST_FILE_BYTES)
            else:
                reader.findings.append(Finding("not-a-file", path, text="changed while it was read"))
    except OSError as error:
        reader.findings.append(_unreadable(path, error))


def _unreadable(path: str, error: OSError) -> Finding:
    return Finding("unreadable", path, text=error.strerror or "cannot be read")


def _name_findings(path: str) -> Iterator[Finding]:
    parts = path.split("/")
    try:
        path.encode("utf-8")
        lawful = all(
            _PORTABLE.fullmatch(part) and part[0] != "-" and part not in (".", "..") and part[-1] not in " ."
            for part in parts
        )
    except UnicodeEncodeError:
        lawful = False
    if not lawful:
        shown = path.encode("utf-8", "backslashreplace").decode()
        yield Finding("name", shown, text="not a portable name")
