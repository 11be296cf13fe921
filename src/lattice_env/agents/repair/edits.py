"""The one bounded action on a source: lines of one file replaced by others."""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from lattice_env.model import Files
from lattice_env.verifier.latex import decode, encode

from .project import sha256


@dataclass(frozen=True)
class Edit:
    """`replace_lines`: the lines `first` to `last`, from 1, of one file become `text`."""

    file: str
    first: int
    last: int
    text: str
    """The new lines, without the last one's newline; None of them where it is empty and `drop` is set."""
    read: str
    """SHA-256 of the file as it was read."""
    why: str
    drop: bool = False
    """Whether the lines go without others in their place."""

    def to_json(self) -> dict[str, object]:
        """The edit as plain data."""
        return dict(vars(self))


def lines_of(data: bytes) -> list[str]:
    """The lines of a source, each without its newline."""
    return decode(data).split("\n")


def replace_lines(data: bytes, edit: Edit) -> bytes:
    """The file with the edit made, in its own encoding; UnicodeEncodeError where that cannot hold the text."""
    lines = lines_of(data)
    lines[edit.first - 1 : edit.last] = [] if edit.drop else edit.text.split("\n")
    return encode("\n".join(lines), data)


def edit_between(files: Files, file: str, new: str, why: str) -> Edit:
    """The smallest edit of lines that makes `new` of one file; ValueError where there is nothing to change."""
    old_lines, new_lines = lines_of(files[file]), new.split("\n")
    first = 0
    while first < min(len(old_lines), len(new_lines)) and old_lines[first] == new_lines[first]:
        first += 1
    back = 0
    while back < min(len(old_lines), len(new_lines)) - first and old_lines[-1 - back] == new_lines[-1 - back]:
        back += 1
    old_end, new_end = len(old_lines) - back, len(new_lines) - back
    if first == old_end and first == new_end:
        message = f"{file}: an edit that changes nothing"
        raise ValueError(message)
    if first == old_end:
        first -= 1
        if first < 0:
            first, old_end, new_end = 0, 1, new_end + 1
    text = "\n".join(new_lines[first:new_end])
    return Edit(file, first + 1, old_end, text, sha256(files[file]), why, drop=first == new_end)


def unified(before: Files, after: Files) -> str:
    """The difference of two snapshots as a unified diff."""
    parts: list[str] = []
    for path in sorted(path for path in after if before.get(path) != after[path]):
        old, new = (decode(files.get(path, b"")).splitlines(keepends=True) for files in (before, after))
        lines = difflib.unified_diff(old, new, f"a/{path}", f"b/{path}")
        parts += [line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines]
    return "".join(parts)
