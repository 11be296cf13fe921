"""Seconds per verdict over seconds of one bare latexmk of the same paper."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import mean, median

from lattice_env.families.paper.make import make_tasks, reference
from lattice_env.families.paper.operator import BUILD_REPAIR, REFERENCE_HYGIENE
from lattice_env.model import Files, Seed, Task
from lattice_env.packages import write_package
from lattice_env.verifier.intake import Submission
from lattice_env.verifier.judge import verify
from lattice_env.verifier.store import Store
from lattice_env.verifier.verdict import REJECTED

from .bare import UnsoundError, spend_bare, write_tree
from .clock import Spent, timed
from .figures import Figure, Measure, Report, overall

NAME, PEER = "verification", "bare latexmk of the good paper"
SALT = "bench"
NOTE = b"\n% read once more\n"
"""What makes an honest repair another source with the same PDF: no store knows it, so it must be built."""

WARM = Measure(NAME, "repair, reference in the store", PEER, "s", 1.2)
COLD = Measure(NAME, "repair, no store", PEER, "s", 2.2)
STATIC = Measure(NAME, "rejected before any build", PEER, "s", 0.3)
PROCESS = Measure(NAME, "package's own verify.py, oracle", PEER, "s", 2.2, informative=True)
MEASURES = (WARM, COLD, STATIC, PROCESS)


@dataclass(frozen=True)
class Subject:
    """One task with all that its verdicts are timed on."""

    seed: Seed
    task: Task
    package: Path
    solved: Path
    """A workspace with the reference repair."""
    primed: Path
    """A store that knows the good paper and nothing else."""
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
        """The oracle with a comment at the end of the repaired file."""
        path = self.task.repair[0].file
        return {**self.oracle, path: self.oracle[path] + NOTE}


@dataclass(frozen=True)
class Sample:
    """What the peer and every measure took on one task, one right after the other."""

    subject: str
    operator: str
    repeat: int
    bare: tuple[Spent, Spent]
    """The peer before the verdicts and after them."""
    verdicts: dict[str, Spent]
    """By the measure's name."""

    @property
    def peer(self) -> Spent:
        """The mean of both runs of the peer."""
        return Spent(mean(spent.wall for spent in self.bare), mean(spent.cpu for spent in self.bare))

    def figure(self, measure: Measure) -> Figure:
        """One measure over the peer of the same sample."""
        spent, peer = self.verdicts[measure.name], self.peer
        return Figure(measure, self.subject, spent.wall, peer.wall, spent.cpu / peer.cpu)


def run(seeds: Sequence[Seed], repeats: int) -> Report:
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
    """The figure with the median ratio, the higher of two in the middle, with the median of their CPU ratios."""
    middle = sorted(figures, key=lambda figure: figure.ratio)[len(figures) // 2]
    return replace(middle, cpu_ratio=median(figure.cpu_ratio or 0 for figure in figures))


def _subjects(seed: Seed, scratch: Path) -> Iterator[Subject]:
    """One task of each family; UnsoundError where an operator finds no place."""
    primed = scratch / seed.name / "store"
    reference(seed, Store(primed))
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
    before = spend_bare(subject.seed)
    verdicts = {measure.name: judge(subject) for measure, judge in _JUDGES.items()}
    after = spend_bare(subject.seed)
    return Sample(subject.name, subject.task.operator, repeat, (before, after), verdicts)


def _spend_warm(subject: Subject) -> Spent:
    """One build: a fresh copy of the primed store answers for the good paper."""
    folder = subject.scratch / "store"
    shutil.copytree(subject.primed, folder)
    try:
        return _spend_verdict(subject, subject.honest, Store(folder), reward=1, builds=1)
    finally:
        shutil.rmtree(folder)


def _spend_cold(subject: Subject) -> Spent:
    """Two builds: nothing is known."""
    return _spend_verdict(subject, subject.honest, Store(), reward=1, builds=2)


def _spend_static(subject: Subject) -> Spent:
    """No build: the untouched paper with a file that steers latexmk."""
    files = {**subject.task.start, ".latexmkrc": b"$pdf_mode = 1;\n"}
    return _spend_verdict(subject, files, Store(), reward=0, builds=0)


def _spend_verdict(subject: Subject, files: Files, store: Store, *, reward: int, builds: int) -> Spent:
    """What one verdict took; UnsoundError unless it is the expected one, by the expected builds."""
    spent, verdict = timed(lambda: verify(subject.task.spec, Submission(files), store))
    if verdict.reward != reward or store.builds != builds or (not reward and verdict.status != REJECTED):
        codes = ", ".join(sorted(verdict.codes()))
        message = f"{subject.name}: reward {verdict.reward} ({codes}), {store.builds} builds; not {reward}, {builds}"
        raise UnsoundError(message)
    return spent


def _spend_process(subject: Subject) -> Spent:
    """The package's own verifier on the oracle, from the start of Python to its end."""
    written = subject.scratch / "logs"
    words = ["--workspace", str(subject.solved), "--out", str(written)]
    command = [sys.executable, "-I", "-S", str(subject.package / "tests" / "verify.py"), *words]
    environment = {"PATH": "/usr/bin:/bin"}
    spent, _ = timed(
        lambda: subprocess.run(command, cwd=subject.scratch, env=environment, capture_output=True, check=False)
    )
    reward = (written / "reward.txt").read_text("utf-8").strip() if written.is_dir() else "none"
    shutil.rmtree(written, ignore_errors=True)
    if reward != "1.0":
        message = f"{subject.name}: its own verifier gave the oracle {reward}"
        raise UnsoundError(message)
    return spent


_JUDGES: dict[Measure, Callable[[Subject], Spent]] = {
    WARM: _spend_warm,
    COLD: _spend_cold,
    STATIC: _spend_static,
    PROCESS: _spend_process,
}
