"""What a run of `generate` needs of a kind of task: check its seeds, make the task of a unit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from lattice_env.model import Task
from lattice_env.verifier.spec import TaskSpec
from lattice_env.verifier.store import Store


@dataclass(frozen=True)
class Unit:
    """One seed and one operator, or several joined, or the kind of change that is made: at most one task."""

    seed: str
    operator: str
    number: int = 0
    """Which of several with this seed and operator; 0 where there is one."""


@dataclass(frozen=True)
class Product:
    """What a unit yielded: a task or none, the places that there were, the mutants that were tried."""

    task: Task[TaskSpec] | None
    sites: int
    tried: int
    edit: str = ""
    """What the task's edit is known by, where several units may yield the same one: the first admitted task stays."""
    notes: Mapping[str, str] = field(default_factory=dict[str, str])
    """What else the unit's row in the manifest says."""


class Maker(Protocol):
    """Makes the tasks of a plan. It is sent to the workers: plain data, with nothing loaded in it."""

    @property
    def needs_tex(self) -> bool:
        """Whether this machine must have TeX."""
        ...

    def check(self, seed: str, store: Store, /) -> None:
        """Nothing, if tasks can be made from a seed; else SeedError."""
        ...

    def make(self, unit: Unit, store: Store, /) -> Product:
        """The task of a unit; InfraError where the machine cannot judge it."""
        ...
