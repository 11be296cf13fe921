"""The files that an agent works on: read and written by name, below one folder and nowhere else."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from lattice_env.actions import RefusedError
from lattice_env.errors import EpisodeError
from lattice_env.verifier.intake import check_files, read_submission
from lattice_env.verifier.latex import decode, encode

MOST_BYTES = 1 << 20
"""The largest file that is read or written through an action."""
MOST_FILES = 500
"""Files that a workspace may hold before another is refused."""


@dataclass(frozen=True)
class Workspace:
    """A folder, in which links are not followed and only plain files count."""

    folder: Path

    def fill(self, files: Mapping[str, bytes]) -> None:
        """Write the files that an attempt begins with; the folder must not exist yet."""
        self.folder.mkdir()
        for parent in sorted({os.path.dirname(path) for path in files} - {""}):  # noqa: PTH120 - ten times pathlib's speed
            (self.folder / parent).mkdir(parents=True, exist_ok=True)
        for path, data in files.items():
            (self.folder / path).write_bytes(data)

    def check(self) -> None:
        """EpisodeError where the folder is gone."""
        if not self.folder.is_dir():
            raise EpisodeError("workspace-gone", "the workspace was removed under the episode")

    def files(self) -> Mapping[str, bytes]:
        """All plain files; what is not one is left out."""
        self.check()
        return read_submission(self.folder).files

    def names(self) -> list[tuple[str, int]]:
        """The path and the size of every plain file, in order."""
        return sorted((path, len(data)) for path, data in self.files().items())

    def read(self, path: str) -> bytes:
        """What a file holds; RefusedError where it is none that may be read."""
        place = self._place(path)
        try:
            descriptor = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except FileNotFoundError:
            self.check()
            message = f"there is no file {path}."
            raise RefusedError(message) from None
        except OSError as error:
            message = f"{path} cannot be read: {error.strerror}."
            raise RefusedError(message) from None
        with os.fdopen(descriptor, "rb") as file:
            _check_status(path, os.fstat(descriptor))
            return file.read(MOST_BYTES)

    def text(self, path: str) -> str:
        """The text of a file; RefusedError for one that is none."""
        data = self.read(path)
        if b"\0" in data:
            message = f"{path} is no text."
            raise RefusedError(message)
        return decode(data)

    def replace(self, path: str, text: str) -> None:
        """Put a text in the place of a file's, in its own encoding; where that fails, the file is as it was."""
        self._write(path, encoded(path, text, self.read(path)))

    def write(self, path: str, text: str) -> bool:
        """Put a text in the place of a file or make one; whether there was one."""
        place = self._place(path)
        if os.path.lexists(place):
            self.replace(path, text)
            return True
        if len(self.names()) >= MOST_FILES:
            message = f"there are {MOST_FILES} files already."
            raise RefusedError(message)
        self._write(path, encoded(path, text, b""))
        return False

    def _write(self, path: str, data: bytes) -> None:
        if len(data) > MOST_BYTES:
            message = f"{path} would hold {len(data)} bytes, more than {MOST_BYTES}."
            raise RefusedError(message)
        self.check()
        place = self._place(path)
        scratch = self.folder.parent / f".{secrets.token_hex(8)}.part"
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            scratch.write_bytes(data)
            _put(scratch, place)
        except OSError as error:
            scratch.unlink(missing_ok=True)
            self.check()
            message = f"{path} cannot be written: {error.strerror}."
            raise RefusedError(message) from None

    def _place(self, path: str) -> Path:
        """Where a path leads; RefusedError for one that leaves the workspace, or is or crosses a link."""
        parts = path.split("/")
        if path.startswith(("/", "~")) or ".." in parts or "\\" in path:
            message = f"{shown(path)} leaves the workspace: paths are relative to it, with no .. in them."
            raise RefusedError(message)
        if check_files({path: b""}):
            message = f"{shown(path)} is not a portable name."
            raise RefusedError(message)
        place = self.folder
        for part in parts:
            place /= part
            if place.is_symlink():
                message = f"{path} is or crosses a link, which is not followed."
                raise RefusedError(message)
        return place


def _put(new: Path, place: Path) -> None:
    """Move a file to a place; what stood there is gone then, and still there where that fails.

    A rename over a file would have ext4 write the new one to the disk first, which takes milliseconds; here nobody
    looks in between, and the work of a process that is killed is never judged.
    """
    aside = new.with_suffix(".old")
    if not place.exists():
        new.rename(place)
        return
    place.rename(aside)
    try:
        new.rename(place)
    except OSError:
        aside.rename(place)
        raise
    aside.unlink()


def _check_status(path: str, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode) or status.st_nlink != 1:
        message = f"{path} is no plain file."
        raise RefusedError(message)
    if status.st_size > MOST_BYTES:
        message = f"{path} holds {status.st_size} bytes, more than {MOST_BYTES}."
        raise RefusedError(message)


def encoded(path: str, text: str, like: bytes) -> bytes:
    """A text in the encoding of what stands there; RefusedError where that cannot hold it."""
    try:
        return encode(text, like)
    except UnicodeEncodeError as error:
        message = f"{path} cannot hold the character {text[error.start]!a}: its encoding is {error.encoding}."
        raise RefusedError(message) from None


def shown(text: str) -> str:
    """A text from outside, short and printable."""
    return ascii(text[:60])
