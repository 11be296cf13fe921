"""What a task's environment must not tell: the agent sees every file of it."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterator
from pathlib import Path

from lattice_env.verifier.edit_spec import EditSpec
from lattice_env.verifier.latex import decode

from .harbor import WORKSPACE, Package

SHORTEST = 12
"""Characters of a line of the solution that another file cannot hold by chance."""

_ALGORITHMS = ("md5", "sha1", "sha256")
_HISTORY = (".git", ".hg", ".svn", ".bzr", ".jj")


def find_leaks(package: Package) -> list[str]:
    """Everything in `environment/` and `instruction.md` that tells the answer, each in a line; empty where none does.

    Looked for: version control's folders, the lines of the solution that the shipped files lack, digests of those
    lines and of the solution's files, and the names of operator, seed and task.
    """
    folder = package.folder / "environment"
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file() or path.is_symlink()]
    shown = {path.relative_to(package.folder).as_posix(): path for path in [*paths, package.folder / "instruction.md"]}
    return [finding for name, path in shown.items() for finding in _of_file(package, name, path)]


def _of_file(package: Package, name: str, path: Path) -> Iterator[str]:
    if any(part.lower() in _HISTORY for part in Path(name).parts):
        yield f"{name}: history of the paper"
    if path.is_symlink():
        yield f"{name}: a link"
        return
    data = path.read_bytes()
    text = decode(data)
    lines = {line.strip() for line in text.splitlines()}
    for line in sorted(_solution_lines(package) & lines):
        yield f"{name}: a line of the solution: {line[:60]!r}"
    lower = text.lower()
    for told, digest in _digests(package):
        if digest in lower:
            yield f"{name}: the digest of {told}"
    yield from _named(package, name, text)


def _named(package: Package, name: str, text: str) -> Iterator[str]:
    """The names that a file tells and that the paper itself does not."""
    inner = name.removeprefix(f"{WORKSPACE}/")
    if name != inner and inner not in package.spec.editable:
        return  # it came with the paper as it is
    known = decode(package.spec.original.get(inner, b""))
    for word in _names(package):
        if text.count(word) > known.count(word):
            yield f"{name}: names {word}"


def _solution_lines(package: Package) -> set[str]:
    """The lines of the solution that no shipped file has, the ones too short to know left out."""
    before, after = (
        {line.strip() for data in files.values() for line in decode(data).splitlines()}
        for files in (package.spec.initial, package.spec.original)
    )
    return {line for line in after - before if len(line) >= SHORTEST}


def _digests(package: Package) -> Iterator[tuple[str, str]]:
    """What could be hashed, and its digests in hexadecimal digits."""
    parts = [(f"{path} as it was", data) for path, data in package.spec.original.items()]
    parts += [("a line of the solution", line.encode()) for line in sorted(_solution_lines(package))]
    for told, data in parts:
        for algorithm in _ALGORITHMS:
            yield told, hashlib.new(algorithm, data, usedforsecurity=False).hexdigest()


def _names(package: Package) -> list[str]:
    """The names that tell what was done, and to what; a seed's where none of its files is called so.

    A genre of documents is no secret: the instruction calls the document by it.
    """
    metadata = tomllib.loads((package.folder / "task.toml").read_text("utf-8"))["metadata"]
    seed = str(metadata["seed"])
    named = any(Path(path).stem == seed for path in package.workspace) or isinstance(package.spec, EditSpec)
    return [*str(metadata["operator"]).split("+"), package.spec.task[:10], *([] if named else [seed])]
