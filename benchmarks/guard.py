"""What it costs to break a paper: mutants that are only written, and mutants that the guard has looked at."""

from __future__ import annotations

import resource
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

from lattice_env.families.paper.first_error import first_error
from lattice_env.families.paper.guard import guard, observe, reference
from lattice_env.families.paper.operator import BUILD_REPAIR, Mutation, Operator, mutate, operators, paper_of_seed
from lattice_env.keys import Choices
from lattice_env.model import Files, PaperSeed
from lattice_env.verifier import sandbox
from lattice_env.verifier.store import Store
from lattice_env.verifier.toolchain import toolchain

from .bare import UnsoundError, write_tree
from .figures import Figure, Measure, Report

NAME, PEER = "guard", "one pdflatex pass of the good paper"
SALT = "bench"
WRITTEN_AIM = 2000

GUARDED = Measure(NAME, "build-repair mutant, guarded", PEER, "CPU s", 0.6)
PINNED = Measure(NAME, "the same mutant, pinned build", PEER, "CPU s", 1.6, informative=True)
WRITTEN = Measure(NAME, "mutants listed and written, no build", "one CPU second", "mutants", WRITTEN_AIM, at_least=True)
REPEATED = Measure(NAME, "mutants that the same operator makes twice", "all mutants", "mutants", 0)
MEASURES = (GUARDED, PINNED, WRITTEN, REPEATED)


@dataclass(frozen=True)
class Sample:
    """One mutant that both ways have looked at, in CPU seconds."""

    seed: str
    operator: str
    guarded: float
    pinned: float
    quick: bool
    """Whether one short pass was enough."""


def run(seeds: Sequence[PaperSeed], repeats: int, limit: int) -> Report:
    """The figures of `limit` mutants of each paper; UnsoundError where the two ways do not agree."""
    figures: list[Figure] = []
    samples: list[Sample] = []
    for seed in seeds:
        with _countable():
            one_pass = mean(_pass_seconds(seed) for _ in range(repeats))
            taken = [_sample(seed, *chosen) for chosen in _chosen(seed, limit)]
        samples += taken
        figures.append(Figure(GUARDED, seed.name, mean(sample.guarded for sample in taken), one_pass))
        figures.append(Figure(PINNED, seed.name, mean(sample.pinned for sample in taken), one_pass))
    names = ", ".join(seed.name for seed in seeds)
    return Report((*figures, *_written(seeds, names)), tuple(dict[str, Any](vars(sample)) for sample in samples))


def _chosen(seed: PaperSeed, limit: int) -> Iterator[tuple[Operator, Mutation]]:
    """One place of each of `limit` operators of build repair, in keyed order."""
    paper = paper_of_seed(seed)
    wanted = [operator for operator in operators().values() if operator.family == BUILD_REPAIR]
    listed = ((op, list(op.sites(paper))) for op in Choices(SALT, seed.digest).shuffled(wanted))
    found = ((op, Choices(SALT, seed.digest, op.code).choice(sites)) for op, sites in listed if sites)
    return (pair for pair, _ in zip(found, range(limit), strict=False))


def _sample(seed: PaperSeed, operator: Operator, mutation: Mutation) -> Sample:
    start, store = mutate(seed.files, mutation, operator.code), Store()
    first_error(seed, start)
    reference(seed, store)
    guarded, ours = _cpu(lambda: guard(seed, operator, start, store))
    pinned, plain = _cpu(lambda: observe(operator, Store().outcome(start, seed.root), reference(seed, store)))
    if ours != plain:
        message = f"{seed.name} {operator.code}: the guard says {ours!r}, and {plain!r} after the pinned build"
        raise UnsoundError(message)
    return Sample(seed.name, operator.code, guarded, pinned, quick=first_error(seed, start) is not None)


class _countable:  # noqa: N801 - reads as a word in a `with`
    """Programs run without bubblewrap meanwhile, whose children's CPU time the system does not add to ours."""

    def __enter__(self) -> None:
        self.kind = sandbox.kind
        sandbox.kind = lambda: sandbox.LIMITS  # type: ignore[assignment]

    def __exit__(self, *_: object) -> None:
        sandbox.kind = self.kind


def _cpu[T](work: Callable[[], T]) -> tuple[float, T]:
    """The CPU seconds of `work`, its programs included, and what it returned."""
    started = _spent()
    result = work()
    return _spent() - started, result


def _spent() -> float:
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def _pass_seconds(seed: PaperSeed) -> float:
    """The CPU seconds of one pass over the good paper, in a fresh folder."""
    with tempfile.TemporaryDirectory(prefix="bare-") as scratch:
        write_tree(seed.files, Path(scratch))
        command = [toolchain().path("pdflatex"), "-interaction=nonstopmode", "-halt-on-error", seed.root]
        seconds, done = _cpu(lambda: subprocess.run(command, cwd=scratch, capture_output=True, check=False))
    if done.returncode:
        message = f"pdflatex does not build {seed.name}"
        raise UnsoundError(message)
    return seconds


def _written(seeds: Sequence[PaperSeed], subject: str) -> tuple[Figure, Figure]:
    """Mutants per CPU second over all operators, and how many an operator makes twice."""
    started = time.process_time()
    mutants = [(seed.name, op.code, files) for seed in seeds for op in operators().values() for files in _all(seed, op)]
    seconds = time.process_time() - started
    distinct = {(name, code, tuple(files.values())) for name, code, files in mutants}
    return (
        Figure(WRITTEN, subject, len(mutants) / seconds, 1),
        Figure(REPEATED, subject, len(mutants) - len(distinct), len(mutants)),
    )


def _all(seed: PaperSeed, operator: Operator) -> Iterator[Files]:
    return (mutate(seed.files, mutation, operator.code) for mutation in operator.sites(paper_of_seed(seed)))
