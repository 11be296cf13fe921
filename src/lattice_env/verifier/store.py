"""Outcomes of builds kept by content, so that no files are ever built twice.

A store must be out of every agent's reach: whoever can write it decides verdicts. A package's own
verifier therefore uses none; `lattice-env` keeps one in the user's cache folder.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from .build import build, is_product
from .facts import Outcome, read_facts, read_outcome
from .toolchain import Toolchain, toolchain
from .verdict import InfraError

FORMAT = "1"
MOST_REMEMBERED = 256
"""Outcomes kept in memory, some tens of kilobytes each; the oldest goes first."""


def digest(files: Mapping[str, bytes]) -> str:
    """SHA-256 over the sorted paths and contents of `files`."""
    return digest_of((path, hashlib.sha256(files[path]).hexdigest()) for path in sorted(files))


def digest_of(pairs: Iterable[tuple[str, str]]) -> str:
    """SHA-256 over (path, digest of the content) pairs, in the order given."""
    total = hashlib.sha256()
    for path, content in pairs:
        total.update(f"{path}\0{content}\n".encode("utf-8", "surrogateescape"))
    return total.hexdigest()


@dataclass
class Store:
    """Builds files, or remembers that it did: in memory, and in `folder` if there is one."""

    folder: Path | None = None
    builds: int = 0
    """How many times TeX was run to build something."""
    _memory: dict[str, Outcome] = field(default_factory=dict[str, Outcome])

    def outcome(self, files: Mapping[str, bytes], root: str, *, shadow: bool = False) -> Outcome:
        """The outcome of the pinned build of `files`; InfraError where it cannot be had."""
        tools = toolchain()
        sources = {path: data for path, data in files.items() if not is_product(path, root)}
        words = (FORMAT, tools.fingerprint, root, str(shadow), digest(sources))
        key = hashlib.sha256("\0".join(words).encode()).hexdigest()
        found = self._memory.get(key) or self._read(key)
        if found is None:
            found = self._build(sources, root, tools, shadow=shadow)
            self._write(key, found)
        if found.reason != "resource":
            self._memory[key] = found
        if len(self._memory) > MOST_REMEMBERED:
            self._memory.pop(next(iter(self._memory)))
        return found

    def _build(self, files: Mapping[str, bytes], root: str, tools: Toolchain, *, shadow: bool) -> Outcome:
        self.builds += 1
        built = build(files, root, tools, shadow=shadow)
        return read_facts(built, root, tools, job="shadow" if shadow else "")

    def _read(self, key: str) -> Outcome | None:
        if self.folder is None:
            return None
        try:
            return read_outcome((self.folder / key[:2] / f"{key}.json").read_text("utf-8"))
        except (OSError, ValueError, TypeError, KeyError):
            return None

    def _write(self, key: str, outcome: Outcome) -> None:
        """Keep an outcome, whole or not at all. What ran into a limit of the machine is not kept."""
        if self.folder is None or outcome.reason == "resource":
            return
        place = self.folder / key[:2]
        try:
            place.mkdir(parents=True, exist_ok=True)
            write_whole(place / f"{key}.json", outcome.to_json())
        except OSError as error:
            message = f"the store {self.folder} cannot be written: {error.strerror}"
            raise InfraError(message) from error


def write_whole(path: Path, text: str) -> None:
    """Write a file in one step, under a name at first that nobody can have put there; OSError leaves nothing."""
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, delete=False) as scratch:
        try:
            scratch.write(text)
            scratch.flush()
            Path(scratch.name).chmod(0o644)
            Path(scratch.name).replace(path)
        except OSError:
            Path(scratch.name).unlink(missing_ok=True)
            raise
