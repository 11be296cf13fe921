"""Seconds per verdict over seconds of one bare latexmk of the same paper."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import mean

from lattice_env.families.paper.guard import reference
from lattice_env.families.paper.make import make_tasks
from lattice_env.families.paper.operator import BUILD_REPAIR, REFERENCE_HYGIENE
from lattice_env.model import Files, PaperSeed, Task
from lattice_env.packages import write_package
from lattice_env.verifier.intake import Submission
from lattice_env.verifier.judge import verify
from lattice_env.verifier.store import Store
from lattice_env.verifier.verdict import REJECTED

from .bare import UnsoundError, bare_seconds, write_tree
from .clock import timed
from .figures import Figure, Measure, Report, overall

NAME, PEER = "verification", "bare latexmk of the good paper"
SALT = "bench"
NOTE = b"\n% read once more\n"
"""What makes an honest repair another source with the same PDF: no store knows it, so it must be built."""

WARM = Measure(NAME, "repair, reference in the store", PEER, "s", 1.15)
FAST = Measure(NAME, "the same, --fast", PEER, "s", 0.45)
IDENTICAL = Measure(NAME, "repair with the original's sources", PEER, "s", 0.1)
COLD = Measure(NAME, "repair, no store", PEER, "s", 2.2)
STATIC = Measure(NAME, "rejected before any build", PEER, "s", 0.05)
PROCESS = Measure(NAME, "package's own verify.py, oracle", PEER, "s", 2.2, informative=True)
MEASURES = (WARM, FAST, IDENTICAL, COLD, STATIC, PROCESS)


@dataclass(frozen=True)
class Subject:
    """One task with all that its verdicts are timed on."""

    seed: PaperSeed
    task: Task
    package: Path
    solved: Path
    """A workspace with the reference repair."""
    primed: Path
    """A store that knows the good paper, and the state in which its build ends, and nothing else."""
    scratch: Path
    """Where each repeat puts what is its own."""

    @property
    def name(self) -> str:
        """The seed and the family."""
        return f"{self.seed.name} {self.task.family}"

    @property
    def oracle(self) -> Files:
        """The shipped paper with the reference repair."""
        return {**self.task.start, **self.task.solution}

    @property
    def honest(self) -> Files:
        """The oracle with a comment at the end of the root document."""
        path = self.seed.root
        return {**self.oracle, path: self.oracle[path] + NOTE}


@dataclass(frozen=True)
class Sample:
    """Seconds of the peer and of every measure on one task, one right after the other."""

    subject: str
    operator: str
    repeat: int
    bare: tuple[float, float]
    """Seconds of the peer before the verdicts and after them."""
    verdicts: dict[str, float]
    """Seconds by the measure's name."""

    @property
    def peer(self) -> float:
        """The mean of both runs of the peer."""
        return mean(self.bare)

    def figure(self, measure: Measure) -> Figure:
        """One measure over the peer of the same sample."""
        return Figure(measure, self.subject, self.verdicts[measure.name], self.peer)


def run(seeds: Sequence[PaperSeed], repeats: int) -> Report:
    """The figures of every task, then the medians over all tasks."""
    with tempfile.TemporaryDirectory(prefix="bench-") as scratch:
        subjects = [subject for seed in seeds for subject in _subjects(seed, Path(scratch))]
        samples = [_sample(subject, repeat) for repeat in range(1, repeats + 1) for subject in subjects]
    figures = figures_of(samples)
    return Report(figures, tuple(asdict(sample) for sample in samples))


def figures_of(samples: Sequence[Sample]) -> tuple[Figure, ...]:
    """Per task and measure the figure of the repeat with the median ratio, then the medians over all tasks."""
    names = dict.fromkeys(sample.subject for sample in samples)
    figures = [
        _typical([sample.figure(measure) for sample in samples if sample.subject == name])
        for name in names
        for measure in MEASURES
    ]
    return (*figures, *(overall(measure, "median of all tasks", figures) for measure in MEASURES))


def _typical(figures: Sequence[Figure]) -> Figure:
    """The figure with the median ratio; of two in the middle the higher."""
    return sorted(figures, key=lambda figure: figure.ratio)[len(figures) // 2]


def _subjects(seed: PaperSeed, scratch: Path) -> Iterator[Subject]:
    """One task of each family; UnsoundError where an operator finds no place."""
    primed = scratch / seed.name / "store"
    reference(seed, Store(primed, fast=True))
    for family in (BUILD_REPAIR, REFERENCE_HYGIENE):
        task = next(make_tasks(family, seed, SALT, Store()), None)
        if task is None:
            message = f"no {family} task of {seed.name}"
            raise UnsoundError(message)
        place = scratch / seed.name / family
        place.mkdir()
        subject = Subject(seed, task, place / "package", place / "solved", primed, place)
        write_package(task, subject.package)
        write_tree(subject.oracle, subject.solved)
        yield subject


def _sample(subject: Subject, repeat: int) -> Sample:
    """The peer, each measure, and the peer again."""
    before = bare_seconds(subject.seed)
    verdicts = {measure.name: judge(subject) for measure, judge in _JUDGES.items()}
    after = bare_seconds(subject.seed)
    return Sample(subject.name, subject.task.operator, repeat, (before, after), verdicts)


def _warm_seconds(subject: Subject, *, fast: bool = False) -> float:
    """One build: a fresh copy of the primed store answers for the good paper."""
    return _primed_seconds(subject, subject.honest, fast=fast, builds=1)


def _identical_seconds(subject: Subject) -> float:
    """No build: the store answers for the repair too, since it is the good paper to the byte."""
    return _primed_seconds(subject, subject.oracle, fast=False, builds=0)


def _primed_seconds(subject: Subject, files: Files, *, fast: bool, builds: int) -> float:
    folder = subject.scratch / "store"
    shutil.copytree(subject.primed, folder)
    try:
        return _verdict_seconds(subject, files, Store(folder, fast=fast), reward=1, builds=builds)
    finally:
        shutil.rmtree(folder)


def _cold_seconds(subject: Subject) -> float:
    """Two builds: nothing is known."""
    return _verdict_seconds(subject, subject.honest, Store(), reward=1, builds=2)


def _static_seconds(subject: Subject) -> float:
    """No build: the untouched paper with a file that steers latexmk."""
    files = {**subject.task.start, ".latexmkrc": b"$pdf_mode = 1;\n"}
    return _verdict_seconds(subject, files, Store(), reward=0, builds=0)


def _verdict_seconds(subject: Subject, files: Files, store: Store, *, reward: int, builds: int) -> float:
    """The seconds of one verdict; UnsoundError unless it is the expected one, by the expected builds."""
    seconds, verdict = timed(lambda: verify(subject.task.spec, Submission(files), store))
    if verdict.reward != reward or store.builds != builds or (not reward and verdict.status != REJECTED):
        codes = ", ".join(sorted(verdict.codes()))
        message = f"{subject.name}: reward {verdict.reward} ({codes}), {store.builds} builds; not {reward}, {builds}"
        raise UnsoundError(message)
    return seconds


def _process_seconds(subject: Subject) -> float:
    """The package's own verifier on the oracle, from the start of Python to its end."""
    written = subject.scratch / "logs"
    words = ["--workspace", str(subject.solved), "--out", str(written)]
    command = [sys.executable, "-I", "-S", str(subject.package / "tests" / "verify.py"), *words]
    environment = {"PATH": "/usr/bin:/bin"}
    seconds, _ = timed(
        lambda: subprocess.run(command, cwd=subject.scratch, env=environment, capture_output=True, check=False)
    )
    reward = (written / "reward.txt").read_text("utf-8").strip() if written.is_dir() else "none"
    shutil.rmtree(written, ignore_errors=True)
    if reward != "1.0":
        message = f"{subject.name}: its own verifier gave the oracle {reward}"
        raise UnsoundError(message)
    return seconds


_JUDGES: dict[Measure, Callable[[Subject], float]] = {
    WARM: _warm_seconds,
    FAST: partial(_warm_seconds, fast=True),
    IDENTICAL: _identical_seconds,
    COLD: _cold_seconds,
    STATIC: _static_seconds,
    PROCESS: _process_seconds,
}
