"""Which file is built: chosen once, before anything runs, and never changed in a run."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass

from lattice_env.errors import UsageError
from lattice_env.model import Files
from lattice_env.verifier.latex import Document, decode

_MAGIC = re.compile(r"^[ \t]*%[ \t]*!\s*T[eE]X\s+root\s*=\s*(?P<root>.+?)[ \t]*$", re.MULTILINE)
_CLASS = re.compile(r"\\documentclass(?![A-Za-z@])")
MAGIC_LINES = 20
"""A magic comment counts in the first lines of a file only, as editors have it."""


@dataclass(frozen=True)
class Roots:
    """The chosen root and how it was chosen; or none, and the files between which a person must choose."""

    root: str
    chosen_by: str
    candidates: tuple[str, ...]


def choose_root(files: Files, *, root: str = "", active: str = "") -> Roots:
    """`root`, else the active file with its magic comment honoured, else the only file with a live class.

    Raises UsageError where a file that was named is not in the project.
    """
    candidates = tuple(sorted(path for path in files if _is_root(path, files[path])))
    if root:
        return Roots(_known(files, root, "--root"), "--root", candidates)
    if active:
        file = _known(files, active, "--active")
        magic = _magic_root(files, file)
        return Roots(magic or file, f"the magic comment of {file}" if magic else "--active", candidates)
    if len(candidates) == 1:
        return Roots(candidates[0], "the only file with a class", candidates)
    return Roots("", "", candidates)


def _is_root(path: str, data: bytes) -> bool:
    return path.endswith((".tex", ".ltx")) and bool(_CLASS.search(Document(path, decode(data)).code))


def _known(files: Files, path: str, option: str) -> str:
    name = posixpath.normpath(path)
    if name not in files:
        message = f"{option}: {path} is not a file of the project"
        raise UsageError(message, hint="name it as it lies below the project's folder")
    return name


def _magic_root(files: Files, active: str) -> str:
    head = "\n".join(decode(files[active]).split("\n")[:MAGIC_LINES])
    found = _MAGIC.search(head)
    if not found:
        return ""
    target = posixpath.normpath(posixpath.join(posixpath.dirname(active), found["root"].strip('"')))
    for name in (target, f"{target}.tex"):
        if name in files:
            return name
    message = f"{active} names {found['root']} as its root, which is not in the project"
    raise UsageError(message, hint="mend its magic comment, or give --root")
