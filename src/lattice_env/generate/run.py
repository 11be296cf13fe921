"""Runs a plan: workers make tasks side by side, and their results are taken in the plan's order."""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from lattice_env.errors import LatticeError, MissingTool
from lattice_env.verifier.toolchain import toolchain
from lattice_env.verifier.verdict import InfraError

from .maker import Unit
from .output import Output, Row, open_output
from .plan import Plan
from .worker import Outcome, check_seed, run_unit, start_worker

AHEAD = 3
"""Units per worker that are under way or waiting to be taken: enough that no worker idles."""

Report = Callable[[Row, int, int], None]
"""Told of each unit that is done: its row, how many are done, how many there are."""


@dataclass(frozen=True)
class Totals:
    """A finished run: all rows in the plan's order, those of an earlier run included."""

    rows: tuple[Row, ...]

    @property
    def admitted(self) -> list[Row]:
        """Rows with a task whose self-tests all held."""
        return [row for row in self.rows if row["task"] and not row["failures"]]

    @property
    def rejected(self) -> list[Row]:
        """Rows with a task that some self-test spoke against."""
        return [row for row in self.rows if row["task"] and row["failures"]]


def generate(
    plan: Plan, folder: Path, *, store: Path | None, jobs: int, resume: bool = False, report: Report
) -> Totals:
    """Fill `folder` with the plan's tasks. The same plan gives the same bytes for any number of jobs.

    Raises MissingTool without TeX, UsageError for a folder that cannot be used, SeedError for a seed
    that does not build, LatticeError where a worker was killed: then `resume` goes on.
    """
    _check_tools(plan)
    output = open_output(folder, plan, resume=resume)
    try:
        with _pool(jobs) as pool:
            try:
                _check_seeds(pool, plan, output, store)
                _take_all(pool, plan, output, store, jobs, report)
            finally:
                _end(pool)
    except BrokenProcessPool as error:
        message = "a worker was killed"
        raise LatticeError(message, hint="--resume goes on where this run ended") from error
    finally:
        output.drop_if_empty()
    output.finish()
    return Totals(tuple(output.rows))


def _check_tools(plan: Plan) -> None:
    """Self-tests admit a task for the toolchain that they ran on: it must be one that the tasks are for."""
    if not plan.maker.needs_tex:
        return
    try:
        found = toolchain().fingerprint
    except InfraError as error:
        raise MissingTool(str(error), hint="make demo installs TeX; lattice-env doctor says more") from error
    if plan.pin and found not in plan.pin.fingerprints:
        message = f"this machine's toolchain is {found[:12]}, not {plan.pin.name}"
        raise MissingTool(message, hint="generate in the image of the toolchain that the tasks are for")


def _pool(jobs: int) -> ProcessPoolExecutor:
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(jobs, mp_context=context, initializer=start_worker)


def _end(pool: ProcessPoolExecutor) -> None:
    """End the workers at once: what they still have under way is wanted no more."""
    pool.shutdown(wait=False, cancel_futures=True)
    for process in multiprocessing.active_children():
        process.terminate()


def _check_seeds(pool: ProcessPoolExecutor, plan: Plan, output: Output, store: Path | None) -> None:
    """Build every good paper before any is broken: a seed that does not build stops the run at once."""
    if output.rows:
        return
    names = list(dict.fromkeys(unit.seed for unit in plan.units))
    for future in [pool.submit(check_seed, plan, name, store) for name in names]:
        future.result()


def _take_all(
    pool: ProcessPoolExecutor, plan: Plan, output: Output, store: Path | None, jobs: int, report: Report
) -> None:
    rest = plan.units[len(output.rows) :]
    results = _in_order(pool, plan, rest, store, ahead=AHEAD * jobs)
    admitted = sum(bool(row["task"] and not row["failures"]) for row in output.rows)
    while plan.limit is None or admitted < plan.limit:
        outcome = next(results, None)
        if outcome is None:
            return
        outcome = _unless_known(outcome, output.rows)
        row = output.add(outcome)
        admitted += outcome.admitted
        report(row, len(output.rows), len(plan.units))


def _unless_known(outcome: Outcome, rows: Sequence[Row]) -> Outcome:
    """The outcome without its task where an admitted one has the same edit: histories repeat themselves."""
    same = (row for row in rows if outcome.edit and row.get("edit") == outcome.edit and not row["failures"])
    first = next(same, None) if outcome.task else None
    if first is None:
        return outcome
    notes = {"reason": f"the same edit as in {first['operator']}"}
    return replace(outcome, task=None, failures=(), edit="", notes=notes)


def _in_order(
    pool: ProcessPoolExecutor, plan: Plan, units: tuple[Unit, ...], store: Path | None, *, ahead: int
) -> Iterator[Outcome]:
    """The outcomes in the units' order, with at most `ahead` units under way."""
    waiting: deque[Future[Outcome]] = deque()
    todo = iter(units)
    for unit in islice(todo, ahead):
        waiting.append(pool.submit(run_unit, plan, unit, store))
    while waiting:
        yield waiting.popleft().result()
        for unit in islice(todo, 1):
            waiting.append(pool.submit(run_unit, plan, unit, store))
