"""Builds and seconds per admitted task, with one worker and with two, and what two processors are worth here."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from lattice_env.executors import open_executor
from lattice_env.generate import Plan, generate, make_plan
from lattice_env.model import PaperSeed

from .bare import UnsoundError, bare_seconds, pair_seconds
from .clock import timed
from .figures import Figure, Measure, Report

NAME = "generation"
SALT = "bench"
WORKERS = (1, 2)

BUILDS = Measure(NAME, "builds per admitted task", "one build a task, the least there is", "builds", 7)
SECONDS = Measure(NAME, "seconds per admitted task, one worker", "bare latexmk of the task's paper", "s", 8.4)
SCALING = Measure(NAME, "two workers (limit: 2.0)", "one worker", "tasks/min", 1.85, at_least=True)
MACHINE = Measure(
    NAME, "two bare latexmk at once", "one after the other", "papers/min", 2.0, at_least=True, informative=True
)
SHARE = Measure(
    NAME, "two workers, of what the machine gives", "two bare latexmk over one", "times", 0.925, at_least=True
)
MEASURES = (BUILDS, SECONDS, SCALING, MACHINE, SHARE)


@dataclass(frozen=True)
class Sample:
    """One run of a plan from nothing."""

    workers: int
    seconds: float
    admitted: int
    builds: int
    """Those of the rows, and one for each good paper: `generate` builds them first and tells no row."""
    stored: int
    """Outcomes in the run's store: those of `builds`, and of units that were under way at the end."""
    units: int
    bare: float
    """Seconds of one bare latexmk, as the mean over the admitted tasks' papers."""
    alone: float
    """Papers per minute of one bare latexmk after the other, just before and after this run."""
    paired: float
    """Papers per minute of two bare latexmk at once, right after this run."""

    @property
    def per_minute(self) -> float:
        """Admitted tasks per minute."""
        return 60 * self.admitted / self.seconds

    @property
    def per_task(self) -> float:
        """Seconds per admitted task."""
        return self.seconds / self.admitted

    def to_json(self) -> dict[str, Any]:
        """The sample with its derived figures."""
        return {**vars(self), "per_minute": self.per_minute, "per_task": self.per_task}


def run(seeds: Sequence[PaperSeed], repeats: int, limit: int) -> Report:
    """The figures of `repeats` runs with one worker and with two, in turn."""
    plan = make_plan(seeds, SALT, limit=limit)
    for seed in seeds:
        bare_seconds(seed)
    samples = [_sample(plan, seeds, workers) for _ in range(repeats) for workers in WORKERS]
    subject = f"{limit} tasks of {', '.join(seed.name for seed in seeds)}"
    return Report(figures_of(samples, subject), tuple(sample.to_json() for sample in samples))


def figures_of(samples: Sequence[Sample], subject: str) -> tuple[Figure, ...]:
    """Medians over the runs; builds and seconds are those of one worker."""
    one, two = ([sample for sample in samples if sample.workers == workers] for workers in WORKERS)
    builds, admitted = median(sample.builds for sample in one), median(sample.admitted for sample in one)
    seconds, bare = median(sample.per_task for sample in one), median(sample.bare for sample in one)
    rates = [median(sample.per_minute for sample in runs) for runs in (two, one)]
    scaling = Figure(SCALING, subject, *rates)
    paired, alone = median(sample.paired for sample in samples), median(sample.alone for sample in samples)
    machine = Figure(MACHINE, "the papers, two processes", paired, alone)
    return (
        Figure(BUILDS, subject, builds, admitted),
        Figure(SECONDS, subject, seconds, bare),
        scaling,
        machine,
        Figure(SHARE, subject, scaling.ratio, machine.ratio),
    )


def _sample(plan: Plan, seeds: Sequence[PaperSeed], workers: int) -> Sample:
    """One run between two rounds of the peer; UnsoundError where it admits fewer tasks than it should."""
    before = _round(seeds)
    with tempfile.TemporaryDirectory(prefix="bench-") as scratch:
        out, store = Path(scratch) / "out", Path(scratch) / "store"
        with open_executor("process", jobs=workers) as executor:
            run = partial(generate, plan, out, store=store, executor=executor, report=_say_nothing)
            seconds, totals = timed(run)
        stored = len(list(store.rglob("*.json")))
    after, paired = _round(seeds), pair_seconds(seeds)
    if len(totals.admitted) != plan.limit:
        message = f"{len(totals.admitted)} tasks admitted, not {plan.limit}"
        raise UnsoundError(message)
    names = [row["seed"] for row in totals.admitted]
    return Sample(
        workers=workers,
        seconds=seconds,
        admitted=len(names),
        builds=sum(row["builds"] for row in totals.rows) + len({unit.seed for unit in plan.units}),
        stored=stored,
        units=len(totals.rows),
        bare=sum((before[name] + after[name]) / 2 for name in names) / len(names),
        alone=120 * len(seeds) / sum((*before.values(), *after.values())),
        paired=120 * len(seeds) / paired,
    )


def _round(seeds: Sequence[PaperSeed]) -> dict[str, float]:
    return {seed.name: bare_seconds(seed) for seed in seeds}


def _say_nothing(*_: object) -> None:
    """A run that is timed prints nothing."""
