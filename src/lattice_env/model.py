"""The nouns of the flow: seed, task, family. Plain data; what changes over time lives elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from .verifier import TaskSpec, Verdict
from .verifier.selftests import Case, Replacement
from .verifier.store import Store, digest

Files = Mapping[str, bytes]
"""A snapshot of a folder: path → content."""


class Seed(Protocol):
    """A correct document, or the recipe of one, that tasks are made from."""

    @property
    def name(self) -> str:
        """How it is called."""
        ...

    @property
    def licence(self) -> str:
        """Its SPDX identifier."""
        ...

    @property
    def redistributable(self) -> bool:
        """Whether a release may hold it."""
        ...

    @property
    def digest(self) -> str:
        """SHA-256 of its content: the seed's identity, whatever it is called."""
        ...


@dataclass(frozen=True)
class PaperSeed:
    """A correct paper, with its licence; figures are drawn and styles put in when it is loaded."""

    name: str
    title: str
    root: str
    engine: str
    bibliography: str
    licence: str
    redistributable: bool
    editable: tuple[str, ...]
    decoys: tuple[tuple[str, str], ...]
    """(file, text) of constructs that are unusual and correct."""
    files: Files
    unavailable: str = ""
    """Why the seed cannot be used here; empty where it can."""

    @property
    def digest(self) -> str:
        """SHA-256 of the paper's files: the seed's identity, whatever it is called."""
        return digest(self.files)


@dataclass(frozen=True)
class Task[S: TaskSpec]:
    """One problem, complete: an adapter needs no more than this to offer it."""

    family: str
    version: int
    seed: str
    operator: str
    category: str
    tier: int
    licence: str
    redistributable: bool
    instruction: str
    start: Files
    """What the agent is given."""
    solution: Files
    """The editable files as the reference repair leaves them."""
    repair: tuple[Replacement, ...]
    """The reference repair, as replacements in the files of `start`."""
    spec: S
    cases: tuple[Case, ...]
    """Its self-tests."""
    diagnostic: str
    """The first error of the pinned build, or what the guard saw change; the agent is not shown it."""
    medium: str
    """What the agent needs around it: `latex` for a TeX installation, `text` for none,
    `picture` for eyes."""
    provenance: Mapping[str, str] = field(default_factory=dict[str, str])
    """Where a fault that really happened comes from: repository, commits, licence's place, overlay."""

    @property
    def name(self) -> str:
        """The task's folder: the family and ten digits of its identity, which do not tell the fault."""
        return f"{self.family}-{self.spec.task[:10]}"


@dataclass(frozen=True)
class Family[D: Seed, S: TaskSpec]:
    """How a kind of task is made, verified, attacked and acted on: a value, with nothing to inherit."""

    name: str
    version: int
    make: Callable[[D, str, Store], Iterator[Task[S]]]
    """(seed, salt, store) → tasks; the same arguments give the same tasks."""
    verify: Callable[[S, Files], Verdict]
    """Pure, and never raises for bad work."""
    selftests: Callable[[Task[S]], tuple[Case, ...]]
    """Oracle, nop, cheats with their twins, and probes."""
    actions: tuple[str, ...]
    """What an agent in process can do."""
