"""One worker: makes the task of a unit, runs its self-tests, and says what came of it."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from lattice_env.errors import LatticeError
from lattice_env.model import Task
from lattice_env.verifier.selftests import run
from lattice_env.verifier.spec import TaskSpec
from lattice_env.verifier.store import Store
from lattice_env.verifier.verdict import INFRA_ERROR, InfraError

from .maker import Maker, Product, Unit

MOST_TRIES = 3
"""How often a unit is tried on a machine that cannot judge: it may have been too busy for a moment."""


@dataclass(frozen=True)
class Outcome:
    """What one unit yielded: no task, an admitted one, or one with failing self-tests."""

    unit: Unit
    task: Task[TaskSpec] | None
    failures: tuple[str, ...]
    sites: int
    tried: int
    builds: int
    seconds: float
    edit: str = ""
    """What its task's edit is known by; empty where no other unit can have the same."""
    notes: Mapping[str, str] = field(default_factory=dict[str, str])
    """What else its row in the manifest says."""


@cache
def _store(folder: Path | None) -> Store:
    return Store(folder)


def check_seed(maker: Maker, name: str, folder: Path | None) -> str:
    """Look at a good document once, for all its tasks; its name, or SeedError where it is not good."""
    _persistently(lambda: maker.check(name, _store(folder)))
    return name


def run_unit(maker: Maker, unit: Unit, folder: Path | None) -> Outcome:
    """Make and admit the task of one unit; LatticeError where the machine cannot judge it."""
    started, store = time.monotonic(), _store(folder)
    before = store.builds
    made, failures = _persistently(lambda: _admitted(maker, unit, store))
    spent, builds = time.monotonic() - started, store.builds - before
    return Outcome(unit, made.task, failures, made.sites, made.tried, builds, spent, made.edit, made.notes)


def _persistently[T](work: Callable[[], T]) -> T:
    """What work comes to, tried anew where the machine cannot judge; LatticeError where it never can."""
    for _ in range(MOST_TRIES - 1):
        try:
            return work()
        except InfraError:
            continue
    try:
        return work()
    except InfraError as error:
        raise _as_ours(error) from error


def _admitted(maker: Maker, unit: Unit, store: Store) -> tuple[Product, tuple[str, ...]]:
    """A unit's task and the self-tests that did not hold."""
    made = maker.make(unit, store)
    return made, _failures_of(made.task, store) if made.task else ()


def _failures_of(task: Task[TaskSpec], store: Store) -> tuple[str, ...]:
    """The self-tests that did not hold, each in a line."""
    results = list(run(task.spec, task.start, task.cases, store))
    for result in results:
        if result.verdict.status == INFRA_ERROR:
            raise InfraError(result.explain())
    return tuple(result.explain() for result in results if not result.held)


def _as_ours(error: InfraError) -> LatticeError:
    """The error that a command ends with where the machine cannot judge."""
    return LatticeError(
        f"{platform.node()}: this machine cannot judge: {error}", hint="lattice-env doctor says what is missing"
    )
