"""Runs a plan: workers make tasks side by side, and their results are taken in the plan's order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lattice_env.errors import MissingTool
from lattice_env.executors import Executor, in_order
from lattice_env.journal import Row
from lattice_env.verifier.toolchain import toolchain
from lattice_env.verifier.verdict import InfraError

from .output import Output, is_admitted, open_output
from .plan import Plan
from .worker import Outcome, check_seed, run_unit

Report = Callable[[Row, int, int], None]
"""Told of each unit that is done: its row, how many are done, how many there are."""


@dataclass(frozen=True)
class Totals:
    """A finished run: all rows in the plan's order, those of an earlier run included."""

    rows: tuple[Row, ...]
    root: str
    """SHA-256 over the manifest, and so over every byte that was made."""

    @property
    def admitted(self) -> list[Row]:
        """Rows with a task whose self-tests all held."""
        return [row for row in self.rows if is_admitted(row)]

    @property
    def rejected(self) -> list[Row]:
        """Rows with a task that some self-test spoke against."""
        return [row for row in self.rows if row["task"] and row["failures"]]


def generate(
    plan: Plan, folder: Path, *, store: Path | None, executor: Executor, resume: bool = False, report: Report
) -> Totals:
    """Fill `folder` with the plan's tasks. The same plan gives the same bytes on any executor.

    Raises MissingTool without TeX, UsageError for a folder that cannot be used, SeedError for a seed
    that does not build, LatticeError where a task costs one worker after the other: then `resume` goes on.
    """
    _check_tools(plan)
    with open_output(folder, plan, resume=resume, workers=executor.workers) as output:
        checks = _check_seeds(executor, plan, output, store)
        rest = plan.units[len(output.rows) :]
        outcomes = in_order(executor, run_unit, ((plan.maker, unit, store) for unit in rest))
        for _ in checks:
            pass
        _take_all(plan, output, outcomes, report)
        root = output.finish()
        return Totals(tuple(output.rows), root)


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


def _check_seeds(executor: Executor, plan: Plan, output: Output, store: Path | None) -> Iterator[str]:
    """The good papers, each built once before any task of it is taken: one that does not build stops the run.

    They are under way when this returns, and units may be put behind them, so that no worker waits for the last.
    """
    names = () if output.rows else dict.fromkeys(unit.seed for unit in plan.units)
    return in_order(executor, check_seed, ((plan.maker, name, store) for name in names))


def _take_all(plan: Plan, output: Output, outcomes: Iterator[Outcome], report: Report) -> None:
    while plan.limit is None or output.admitted < plan.limit:
        outcome = next(outcomes, None)
        if outcome is None:
            return
        outcome = _unless_known(outcome, output.rows)
        report(output.add(outcome), len(output.rows), len(plan.units))


def _unless_known(outcome: Outcome, rows: Sequence[Row]) -> Outcome:
    """The outcome without its task where an admitted one has the same edit: histories repeat themselves."""
    same = (row for row in rows if outcome.edit and row.get("edit") == outcome.edit and is_admitted(row))
    first = next(same, None) if outcome.task else None
    if first is None:
        return outcome
    notes = {"reason": f"the same edit as in {first['operator']}"}
    return replace(outcome, task=None, failures=(), edit="", notes=notes)
