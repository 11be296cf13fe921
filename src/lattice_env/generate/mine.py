"""Mining a history: each commit that may have repaired a paper is a unit, and its task is admitted as any other."""

from __future__ import annotations

import hashlib
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from lattice_env.errors import MissingTool
from lattice_env.families.paper.mined.candidates import candidates
from lattice_env.families.paper.mined.history import History, Step, open_history
from lattice_env.families.paper.mined.licence import check_licensed
from lattice_env.families.paper.mined.make import make_mined
from lattice_env.verifier.judge import verifier_digest
from lattice_env.verifier.store import Store
from lattice_env.verifier.toolchain import toolchain
from lattice_env.verifier.verdict import InfraError

from .maker import Product, Unit
from .output import Output, open_output
from .plan import Plan
from .run import Report, Totals
from .worker import Outcome, as_ours, failures_of


@dataclass(frozen=True)
class _Mined:
    """The maker of a mined plan, of which nothing is asked: a history is gone through in its own order."""

    needs_tex: bool = True

    def check(self, _seed: str, _store: Store, /) -> None:
        """Nothing: a history has no good paper of its own."""

    def make(self, _unit: Unit, _store: Store, /) -> Product:
        """No task."""
        return Product(None, 0, 0)


def mine(
    repo: Path,
    folder: Path,
    *,
    private: bool,
    limit: int | None,
    store: Path | None,
    resume: bool = False,
    report: Report,
) -> Totals:
    """Fill `folder` with the tasks of a clone's history, oldest repair first; the same clone gives the same bytes.

    Raises UsageError for what is no local clone, has no licence file or a folder that cannot be used, MissingTool
    without TeX or git, DataError for a repository that cannot be read.
    """
    try:
        toolchain()
    except InfraError as error:
        raise MissingTool(str(error), hint="make demo installs TeX; lattice-env doctor says more") from error
    with tempfile.TemporaryDirectory(prefix="lattice-") as scratch:
        history = open_history(repo, Path(scratch))
        check_licensed(history, private=private)
        steps = {step.commit: step for step in candidates(history)}
        output = open_output(folder, _plan(history, steps, private=private, limit=limit), resume=resume)
        try:
            _take_all(history, steps, output, Store(store), report, private=private)
        finally:
            output.drop_if_empty()
    output.finish()
    return Totals(tuple(output.rows))


def _plan(history: History, steps: Mapping[str, Step], *, private: bool, limit: int | None) -> Plan:
    units = tuple(Unit(history.name, commit) for commit in steps)
    words = ["mine", history.name, history.source, str(private), str(limit), verifier_digest(), *steps]
    digest = hashlib.sha256("\0".join(words).encode("utf-8", "surrogateescape")).hexdigest()
    return Plan(units, _Mined(), limit, digest)


def _take_all(
    history: History, steps: Mapping[str, Step], output: Output, store: Store, report: Report, *, private: bool
) -> None:
    """Go through the commits that no row speaks of yet, until enough tasks are admitted."""
    plan = output.plan
    for unit in plan.units[len(output.rows) :]:
        rows = [row for row in output.rows if row["task"] and not row["failures"]]
        if plan.limit is not None and len(rows) >= plan.limit:
            return
        known = {str(row["edit"]): str(row["operator"]) for row in rows}
        row = output.add(_outcome(history, steps[unit.operator], unit, store, known, private=private))
        report(row, len(output.rows), len(plan.units))


def _outcome(
    history: History, step: Step, unit: Unit, store: Store, known: Mapping[str, str], *, private: bool
) -> Outcome:
    """What one commit gives: a task that was put to its self-tests, or the reason why there is none."""
    started, before = time.monotonic(), store.builds
    try:
        found = make_mined(history, step, store, private=private)
        task, reason = found.task, found.reason
        if task and found.edit in known:
            task, reason = None, f"the same edit as in {known[found.edit]}"
        failures = failures_of(task, store) if task else ()
    except InfraError as error:
        raise as_ours(error) from error
    notes = {"edit": found.edit, "fault": task.operator} if task else {"reason": reason}
    spent, builds = time.monotonic() - started, store.builds - before
    return Outcome(unit, task, failures, found.hunks, 1, builds, spent, notes)
