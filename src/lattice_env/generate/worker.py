"""One worker: makes the task of a unit, runs its self-tests, and says what came of it."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from lattice_env.errors import LatticeError
from lattice_env.model import Task
from lattice_env.verifier.selftests import run
from lattice_env.verifier.spec import TaskSpec
from lattice_env.verifier.store import Store
from lattice_env.verifier.verdict import INFRA_ERROR, InfraError

from .maker import Unit
from .plan import Plan

_END_WITH_PARENT = 1
"""Linux's PR_SET_PDEATHSIG: a parent that is killed outright cannot end its workers."""


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

    @property
    def admitted(self) -> bool:
        """Whether there is a task whose self-tests all held."""
        return self.task is not None and not self.failures


def start_worker() -> None:
    """Leave an interrupt to the parent, which ends its workers itself; and end with it, however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if sys.platform == "linux" and parent:
        ctypes.CDLL(None).prctl(_END_WITH_PARENT, signal.SIGTERM)
        if os.getppid() != parent.pid:
            sys.exit("the run was killed")


@cache
def _store(folder: Path | None) -> Store:
    return Store(folder)


def check_seed(plan: Plan, name: str, folder: Path | None) -> str:
    """Look at a good document once, for all its tasks; its name, or SeedError where it is not good."""
    try:
        plan.maker.check(name, _store(folder))
    except InfraError as error:
        raise _as_ours(error) from error
    return name


def run_unit(plan: Plan, unit: Unit, folder: Path | None) -> Outcome:
    """Make and admit the task of one unit; LatticeError where the machine cannot judge it."""
    started, store = time.monotonic(), _store(folder)
    before = store.builds
    try:
        made = plan.maker.make(unit, store)
        failures = _failures_of(made.task, store) if made.task else ()
    except InfraError as error:
        raise _as_ours(error) from error
    spent, builds = time.monotonic() - started, store.builds - before
    return Outcome(unit, made.task, failures, made.sites, made.tried, builds, spent, made.edit, made.notes)


def _failures_of(task: Task[TaskSpec], store: Store) -> tuple[str, ...]:
    """The self-tests that did not hold, each in a line."""
    results = list(run(task.spec, task.start, task.cases, store))
    for result in results:
        if result.verdict.status == INFRA_ERROR:
            raise InfraError(result.explain())
    return tuple(result.explain() for result in results if not result.held)


def _as_ours(error: InfraError) -> LatticeError:
    """The error that a command ends with where the machine cannot judge."""
    return LatticeError(f"this machine cannot judge: {error}", hint="lattice-env doctor says what is missing")
