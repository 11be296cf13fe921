"""Outcomes of builds kept by content, so that no files are ever built twice.

A store must be out of every agent's reach: whoever can write it decides verdicts. A package's own
verifier therefore uses none; `lattice-env` keeps one in the user's cache folder.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from .build import Built, build, is_product
from .facts import Outcome, read_facts, read_outcome
from .toolchain import toolchain
from .verdict import InfraError
from .warm import State, is_near, read_state_json, state_json
from .witness import Witness, hear_witness, read_witness, witness_json

T = TypeVar("T")

FORMAT = "3"
MOST_REMEMBERED, MOST_PAPERS = 256, 4
"""Outcomes kept in memory, some tens of kilobytes each, and whole PDFs; the oldest goes first."""


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
    fast: bool = False
    """Whether a build may be one pass from the state of the original's; see `warm`. What it finds is kept apart."""
    builds: int = 0
    """How many times TeX was run to build something."""
    _outcomes: dict[str, Outcome] = field(default_factory=dict[str, Outcome])
    _papers: dict[str, bytes] = field(default_factory=dict[str, bytes])
    _states: dict[str, State] = field(default_factory=dict[str, State])

    def outcome(
        self, files: Mapping[str, bytes], root: str, *, probe: str = "", like: Mapping[str, bytes] | None = None
    ) -> Outcome:
        """The outcome of the pinned build of `files`, or of a probe; InfraError where it cannot be had.

        Where the store is fast, `like` is the trusted paper from whose state it may start.
        """
        sources = _sources(files, root)
        key = _key(sources, root, probe)
        found = self._outcomes.get(key) or self._read(key, read_outcome)
        if found is None and self.fast and like is not None:
            quick = self._quick_outcome(sources, root, probe, _sources(like, root))
            if quick is not None:
                return quick
        if found is None:
            trusted = self.fast and like is None
            found = read_facts(self._build(sources, root, key, probe, trusted=trusted), root, toolchain(), probe=probe)
            if found.reason != "resource":
                self._write(key, found.to_json())
        if found.reason != "resource":
            _keep(self._outcomes, key, found, MOST_REMEMBERED)
        return found

    def witness(self, files: Mapping[str, bytes], root: str) -> Witness:
        """What the pages of `files`, which build, say and show; InfraError where it cannot be had."""
        sources = _sources(files, root)
        key = _key(sources, root, "")
        key = _quick(key) if _quick(key) in self._outcomes else key
        found = self._read(f"{key}-pages", read_witness)
        if found is None:
            paper = self._papers.get(key) or self._build(sources, root, key, "").pdf
            found = hear_witness(paper, toolchain())
            self._write(f"{key}-pages", witness_json(found))
        return found

    def _build(self, sources: Mapping[str, bytes], root: str, key: str, probe: str, *, trusted: bool = False) -> Built:
        self.builds += 1
        built = build(sources, root, toolchain(), probe=probe, keep=trusted)
        _keep(self._papers, key, built.pdf, MOST_PAPERS)
        if trusted and not built.reason:
            _keep(self._states, key, built.state, MOST_PAPERS)
            self._write(f"{key}-state", state_json(built.state))
        return built

    def _quick_outcome(
        self, sources: Mapping[str, bytes], root: str, probe: str, like: Mapping[str, bytes]
    ) -> Outcome | None:
        """The outcome of one pass from the state of the build of `like`; None where only a build from nothing tells."""
        key = _quick(_key(sources, root, probe))
        found = self._outcomes.get(key) or self._read(key, read_outcome)
        if found is None:
            state = self._state(like, root, probe)
            if not state or not is_near(sources, like, state):
                return None
            self.builds += 1
            built = build(sources, root, toolchain(), probe=probe, start=state)
            if built.reason:
                return None
            found = read_facts(built, root, toolchain(), probe=probe)
            _keep(self._papers, key, built.pdf, MOST_PAPERS)
            self._write(key, found.to_json())
        _keep(self._outcomes, key, found, MOST_REMEMBERED)
        return found

    def _state(self, sources: Mapping[str, bytes], root: str, probe: str) -> State:
        """The state in which the build of trusted sources ends; empty where they do not build."""
        key = _key(sources, root, probe)
        found = self._states.get(key) or self._read(f"{key}-state", read_state_json)
        if found is None:
            found = self._build(sources, root, key, probe, trusted=True).state
        _keep(self._states, key, found, MOST_PAPERS)
        return found

    def _read(self, key: str, read: Callable[[str], T]) -> T | None:
        if self.folder is None:
            return None
        try:
            seal, _, text = (self.folder / key[:2] / f"{key}.json").read_text("utf-8").partition("\n")
            return read(text) if seal == _seal(key, text) else None
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return None

    def _write(self, key: str, text: str) -> None:
        """Keep what was found, whole or not at all."""
        if self.folder is None:
            return
        place = self.folder / key[:2]
        try:
            place.mkdir(parents=True, exist_ok=True)
            write_whole(place / f"{key}.json", f"{_seal(key, text)}\n{text}")
        except OSError as error:
            message = f"the store {self.folder} cannot be written: {error.strerror}"
            raise InfraError(message) from error


def _sources(files: Mapping[str, bytes], root: str) -> dict[str, bytes]:
    return {path: data for path, data in files.items() if not is_product(path, root)}


def _key(sources: Mapping[str, bytes], root: str, probe: str) -> str:
    words = (FORMAT, toolchain().fingerprint, root, probe, digest(sources))
    return hashlib.sha256("\0".join(words).encode()).hexdigest()


def _quick(key: str) -> str:
    """The key of what one pass from another's state came to: it is never taken for what a build from nothing did."""
    return f"{key}-fast"


def _seal(key: str, text: str) -> str:
    """What an entry begins with: one that was damaged, edited or moved to another key is as good as none."""
    return hashlib.sha256(f"{key}\n{text}".encode("utf-8", "surrogateescape")).hexdigest()


def _keep(kept: dict[str, T], key: str, item: T, most: int) -> None:
    """Add an item; the oldest goes where there are more than `most`."""
    kept[key] = item
    if len(kept) > most:
        kept.pop(next(iter(kept)))


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
