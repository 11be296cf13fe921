"""A git history as data. The repository is input like any other: none of its configuration, hooks or filters is used.

Git reads the objects from a bare repository of our own that borrows them, so that the mined repository's
configuration is never looked at; nothing is fetched, checked out or written there.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from lattice_env.errors import DataError, MissingTool, UsageError
from lattice_env.verifier.toolchain import find_tool

_HASH = re.compile(r"[0-9a-f]{40}")
_URL = re.compile(r"\[remote \"origin\"\][^\[]*?\n\s*url\s*=\s*(\S+)")
_BUNDLE = b"# v2 git bundle", b"# v3 git bundle"
_SECONDS = 300
REGULAR = ("100644", "100755")
"""Modes of files; links and submodules are none."""


@dataclass(frozen=True)
class Entry:
    """A file of a tree: where it is, the object that holds it, and its size."""

    path: str
    mode: str
    blob: str
    size: int


@dataclass(frozen=True)
class Step:
    """A commit with one parent, and the files that it modified: (path, object before, object after)."""

    commit: str
    parent: str
    modified: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class History:
    """All commits that a clone has."""

    name: str
    source: str
    """Where it was cloned from, as far as that may be told; else the folder's name."""
    git_dir: Path
    tips: tuple[str, ...]

    def git(self, *words: str, given: bytes = b"") -> bytes:
        """What a git command prints; DataError where it fails."""
        return _git(self.git_dir, *words, given=given)

    def steps(self) -> Iterator[Step]:
        """Every commit with one parent, parents first: no merge, no first commit, none where a shallow clone ends."""
        listed = self.git("rev-list", "--topo-order", "--reverse", "--parents", "--stdin", given=_lines(self.tips))
        pairs = [line.split() for line in listed.decode().splitlines()]
        parents = {words[0]: words[1] for words in pairs if len(words) == 2}  # noqa: PLR2004 - a commit and its parent
        raw = self.git("diff-tree", "--stdin", "-r", "-z", "--raw", "--no-renames", given=_lines(parents))
        yield from _read_steps(raw.decode("utf-8", "surrogateescape"), parents)

    def tree(self, commit: str) -> tuple[Entry, ...]:
        """Every file of a commit, links and submodules left out."""
        listed = self.git("ls-tree", "-r", "-z", "-l", commit).decode("utf-8", "surrogateescape")
        entries: list[Entry] = []
        for item in filter(None, listed.split("\0")):
            head, _, path = item.partition("\t")
            mode, _, blob, size = head.split()
            if mode in REGULAR:
                entries.append(Entry(path, mode, blob, int(size)))
        return tuple(entries)

    def read(self, blobs: Sequence[str]) -> dict[str, bytes]:
        """The contents of objects; DataError where a partial clone lacks one."""
        wanted = list(dict.fromkeys(blobs))
        data, found, place = self.git("cat-file", "--batch", given=_lines(wanted)), dict[str, bytes](), 0
        for blob in wanted:
            end = data.index(b"\n", place)
            head = data[place:end].decode().split()
            if len(head) != 3:  # noqa: PLR2004 - object, kind, size; else it is missing
                message = f"{self.name}: {blob} is not in this clone"
                raise DataError(message, hint="clone it whole")
            size = int(head[2])
            found[blob], place = data[end + 1 : end + 1 + size], end + size + 2
        return found

    def sizes(self, blobs: Sequence[str]) -> list[int]:
        """The sizes of objects, -1 for one that a partial clone lacks."""
        listed = self.git("cat-file", "--batch-check=%(objectsize)", given=_lines(blobs)).decode().splitlines()
        return [int(line) if line.isdigit() else -1 for line in listed]

    def has(self, commit: str, tip: str) -> bool:
        """Whether `tip` is a descendant of `commit`, or the commit itself."""
        return bool(self.git("rev-list", "--max-count=1", "--ancestry-path", f"{commit}..{tip}")) or commit == tip

    def author(self, commit: str) -> str:
        """The author's name, without an address."""
        return self.git("show", "--no-patch", "--format=%an", commit).decode("utf-8", "replace").strip()


def open_history(repo: Path, scratch: Path) -> History:
    """The history of a local clone, or of a bundle file; `scratch` is an empty folder that is kept while it is read."""
    if re.match(r"[a-z+]+://|[^/]+@[^/]+:", str(repo)):
        message = f"{repo}: only local clones are mined"
        raise UsageError(message, hint="git clone it first, whole")
    if not repo.exists():
        message = f"{repo}: no such folder"
        raise UsageError(message)
    _git(None, "init", "--quiet", "--bare", "--template=", str(scratch / "own"))
    own = scratch / "own"
    if repo.is_file():
        with repo.open("rb") as file:
            is_bundle = file.read(16).startswith(_BUNDLE)
        if not is_bundle:
            message = f"{repo}: neither a clone nor a bundle"
            raise UsageError(message)
        listed = _git(own, "bundle", "unbundle", str(repo.resolve())).decode("utf-8", "replace")
        return _history(repo.stem, repo.stem, own, listed)
    folder = _git_folder(repo)
    (own / "objects" / "info" / "alternates").write_text(f"{(folder / 'objects').resolve()}\n", "utf-8")
    if (folder / "shallow").is_file():
        (own / "shallow").write_bytes((folder / "shallow").read_bytes())
    name = repo.resolve().name.removesuffix(".git")
    return _history(name, _origin(folder) or name, own, "\n".join(_read_refs(folder)))


def _history(name: str, source: str, own: Path, refs: str) -> History:
    tips = tuple(sorted(set(_HASH.findall(refs))))
    if not tips:
        message = f"{name}: no commits"
        raise DataError(message)
    commits = (
        _git(own, "cat-file", "--batch-check=%(objecttype) %(objectname)", given=_lines(tips)).decode().split("\n")
    )
    known = [line.split()[1] for line in commits if line.startswith(("commit ", "tag "))]
    return History(name, source, own, tuple(known))


def _git_folder(repo: Path) -> Path:
    """The folder with a clone's objects: `.git`, what a `.git` file points to, or a bare repository itself."""
    folder = repo / ".git"
    if folder.is_file():
        folder = repo / folder.read_text("utf-8").removeprefix("gitdir:").strip()
    elif not folder.is_dir():
        folder = repo
    common = folder / "commondir"
    folder = folder / common.read_text("utf-8").strip() if common.is_file() else folder
    if not (folder / "objects").is_dir():
        message = f"{repo}: not a git repository"
        raise UsageError(message)
    return folder


def _read_refs(folder: Path) -> Iterator[str]:
    """Every hash that a branch, a tag, a remote branch or HEAD stands for."""
    loose = (path for path in sorted((folder / "refs").rglob("*")) if path.is_file() and not path.is_symlink())
    for path in (folder / "HEAD", folder / "packed-refs", *loose):
        if path.is_file():
            yield from re.findall(r"(?m)^\^?([0-9a-f]{40})\b", path.read_text("utf-8", "replace"))


def _origin(folder: Path) -> str:
    """The address of `origin` without a user's name or password; empty for one on this machine."""
    config = folder / "config"
    found = _URL.search(config.read_text("utf-8", "replace")) if config.is_file() else None
    if not found or "://" not in found[1] or found[1].startswith("file:"):
        return ""
    return re.sub(r"://[^/@]*@", "://", found[1])


def _read_steps(raw: str, parents: dict[str, str]) -> Iterator[Step]:
    """The steps in what `diff-tree --stdin -z` prints: a commit, then each file's modes and hashes, and its path."""
    fields = iter(raw.split("\0"))
    commit, modified = "", list[tuple[str, str, str]]()
    for field in fields:
        if field.startswith(":"):
            old_mode, new_mode, old, new, status = field[1:].split()
            path = next(fields)
            if status == "M" and old_mode in REGULAR and new_mode in REGULAR:
                modified.append((path, old, new))
        elif field.strip():
            if commit:
                yield Step(commit, parents[commit], tuple(modified))
            commit, modified = field.strip(), []
    if commit:
        yield Step(commit, parents[commit], tuple(modified))


def _lines(words: Sequence[str] | dict[str, str]) -> bytes:
    return "".join(f"{word}\n" for word in words).encode()


def _git(git_dir: Path | None, *words: str, given: bytes = b"") -> bytes:
    program = find_tool("git")
    if program is None:
        message = "git is not on this machine"
        raise MissingTool(message)
    settings = ["-c", "core.hooksPath=/dev/null", "-c", "protocol.allow=never", "-c", "core.fsmonitor=false"]
    place = [f"--git-dir={git_dir}"] if git_dir else []
    nothing = "/dev/null"
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": "/nonexistent",
        "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_SYSTEM": nothing,
        "GIT_CONFIG_GLOBAL": nothing,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ALLOW_PROTOCOL": "",
    }
    try:
        done = subprocess.run(  # noqa: S603 - an absolute path, an environment of our own
            [program, *settings, *place, *words],
            input=given,
            capture_output=True,
            env=environment,
            cwd="/",
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        message = f"git {words[0]} does not end"
        raise DataError(message) from error
    if done.returncode:
        message = f"git {words[0]}: {done.stderr.decode('utf-8', 'replace').strip()}"
        raise DataError(message, hint="git fsck says more")
    return done.stdout
