"""What the repair loop's rules mend, per operator, and what the loop costs beside the builds it waits for."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.table import Table

from lattice_env.agents.repair import Setting, choose_root, read_project, repair
from lattice_env.agents.repair.rules import rules
from lattice_env.families.paper.make import make_task
from lattice_env.families.paper.operator import BUILD_REPAIR, operators
from lattice_env.model import Files, PaperSeed
from lattice_env.verifier import Spec, read_spec
from lattice_env.verifier.intake import Submission
from lattice_env.verifier.judge import verify
from lattice_env.verifier.store import Store
from lattice_env.verifier.toolchain import toolchain

from .bare import UnsoundError
from .figures import Figure, Measure, Report

NAME = "repair"
SALT = "bench"
HONEST = 0.5
"""A claimed success that changed the printed text must not be worth less."""

REPAIRED = Measure(NAME, "repaired to the original's PDF", "tasks", "tasks", 0.5, at_least=True)
FALSE = Measure(NAME, "successes claimed below 0.5 with other text", "tasks", "tasks", 0.0)
OVERHEAD = Measure(NAME, "the loop's own time", "the builds it waited for", "s", 0.1)
MEASURES = (REPAIRED, FALSE, OVERHEAD)


@dataclass(frozen=True)
class Broken:
    """One task, as far as a repair needs it."""

    operator: str
    seed: str
    start: Files
    solution: Files
    spec: Spec


@dataclass(frozen=True)
class Sample:
    """One run of the rules on one task."""

    operator: str
    seed: str
    status: str
    reason: str
    same_pdf: bool
    same_text: bool
    reward: float | None
    """The verdict's; None where success was not claimed."""
    compiles: int
    own: float
    """Seconds of the run without its builds: reading, the rules, the guard, the evidence; not the report's pictures."""
    compiling: float

    @property
    def is_false(self) -> bool:
        """Whether success was claimed for a paper that says something else."""
        return self.reward is not None and self.reward < HONEST and not self.same_text


def run(seeds: Sequence[PaperSeed], limit: int, tasks: Path | None) -> Report:
    """The figures over task packages, `limit` of each operator, or over fresh tasks of the first `limit` operators."""
    with tempfile.TemporaryDirectory(prefix="bench-") as scratch:
        store = Store(Path(scratch) / "store")
        found = packaged(tasks, limit) if tasks else _fresh(seeds, limit, store)
        samples = [_sample(broken, store) for broken in found]
    if not samples:
        message = "there is no build-repair task to measure"
        raise UnsoundError(message)
    subject = f"{len(samples)} tasks of {len({sample.operator for sample in samples})} operators"
    return Report(figures_of(samples, subject), tuple(vars(sample) for sample in samples))


def figures_of(samples: Sequence[Sample], subject: str) -> tuple[Figure, ...]:
    """The share repaired, the false successes, and the overhead."""
    count = len(samples)
    return (
        Figure(REPAIRED, subject, sum(sample.same_pdf for sample in samples), count),
        Figure(FALSE, subject, sum(sample.is_false for sample in samples), count),
        Figure(OVERHEAD, subject, sum(sample.own for sample in samples), sum(sample.compiling for sample in samples)),
    )


def per_operator(samples: Sequence[dict[str, Any]]) -> Iterator[tuple[str, int, int]]:
    """Operator, tasks, and how many of them were repaired to the original's PDF."""
    for operator in sorted({sample["operator"] for sample in samples}):
        own = [sample for sample in samples if sample["operator"] == operator]
        yield operator, len(own), sum(sample["same_pdf"] for sample in own)


def operator_table(samples: Sequence[dict[str, Any]]) -> Table:
    """The share that was repaired to the original's PDF, a line for each operator."""
    table = Table("operator", title="repaired to the original's PDF by rules alone")
    for name in ("tasks", "repaired"):
        table.add_column(name, justify="right")
    for operator, count, repaired in per_operator(samples):
        table.add_row(operator, str(count), str(repaired))
    return table


def _fresh(seeds: Sequence[PaperSeed], limit: int, store: Store) -> Iterator[Broken]:
    made = 0
    for number, operator in enumerate(one for one in operators().values() if one.family == BUILD_REPAIR):
        for turn in range(len(seeds)):
            task = make_task(seeds[(number + turn) % len(seeds)], operator, SALT, store).task
            if task:
                yield Broken(task.operator, task.seed, task.start, {**task.start, **task.solution}, task.spec)
                made += 1
                break
        if made == limit:
            return


def packaged(folder: Path, limit: int) -> Iterator[Broken]:
    """The build-repair tasks of a folder in the order of their names, at most `limit` of each operator."""
    taken: Counter[str] = Counter()
    for place in sorted(folder.glob("build-repair-*")):
        spec = read_spec(place / "tests")
        taken[spec.fault.operator] += 1
        if taken[spec.fault.operator] > limit:
            continue
        start = read_project(place / "environment" / "workspace").files
        seed = (place / "task.toml").read_text("utf-8").partition('seed = "')[2].partition('"')[0]
        yield Broken(spec.fault.operator, seed, start, {**start, **spec.original}, spec)


def _sample(broken: Broken, store: Store) -> Sample:
    with tempfile.TemporaryDirectory(prefix="bench-") as scratch:
        folder, evidence = Path(scratch) / "paper", Path(scratch) / "run"
        for path, data in broken.start.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(data)
        evidence.mkdir()
        project = read_project(folder)
        roots = choose_root(project.files, root=broken.spec.root)
        result = repair(project, roots, evidence, Setting(rules, "rules", toolchain))
        now = read_project(folder).files
    same_pdf = same_text = False
    reward = None
    if result.status == "success":
        ours, theirs = (store.outcome(files, broken.spec.root) for files in (now, broken.solution))
        same_pdf, same_text = ours.pdf_digest == theirs.pdf_digest, ours.text == theirs.text
        reward = 1.0 if same_pdf else verify(broken.spec, Submission(now), store).reward
    return Sample(
        operator=broken.operator,
        seed=broken.seed,
        status=result.status,
        reason=result.reason,
        same_pdf=same_pdf,
        same_text=same_text,
        reward=reward,
        compiles=result.compiles,
        own=result.seconds - result.compiling,
        compiling=result.compiling,
    )
