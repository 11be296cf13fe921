"""Many submissions judged by a pool of workers, the memory of a worker, and tasks made on Ray."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from statistics import mean, median

from lattice_env.executors import open_executor
from lattice_env.generate import Plan, generate, make_plan
from lattice_env.model import Files, PaperSeed
from lattice_env.packages import read_package
from lattice_env.verification import Entry, How, verify_batch
from lattice_env.verification.work import judge

from .bare import UnsoundError, pair_seconds, write_tree
from .clock import timed
from .figures import Figure, Measure, Report

NAME = "scale"
SALT = "bench"
WORKERS = 2
MOST_MEMORY = 150.0
"""Megabytes."""

PEER = "bare latexmk per core-hour, as many at once"
VERDICTS = Measure(NAME, "verdicts per core-hour, reference in the store", PEER, "/h", 0.85, at_least=True)
FAST = Measure(NAME, "the same, --fast", PEER, "/h", 2.0, at_least=True)
MEMORY = Measure(NAME, "memory of a worker at its most", "the limit: 150 MB", "MB", 1)
RAY = Measure(NAME, "tasks made on Ray, two processors", "two processes", "tasks/min", 0.9, at_least=True)
MEASURES = (VERDICTS, FAST, MEMORY, RAY)


def run(seeds: Sequence[PaperSeed], repeats: int, limit: int) -> Report:
    """The figures; that of Ray only where it is installed."""
    plan = make_plan(seeds, SALT, limit=limit)
    subject = f"{limit} tasks of {', '.join(seed.name for seed in seeds)}"
    with tempfile.TemporaryDirectory(prefix="bench-") as scratch:
        samples = list(_samples(plan, seeds, repeats, Path(scratch)))
    return Report(figures_of(samples, subject), tuple(samples))


def figures_of(samples: Sequence[dict[str, float]], subject: str) -> tuple[Figure, ...]:
    """Medians over the repeats."""

    def middle(name: str) -> float:
        return median(sample[name] for sample in samples)

    figures = [Figure(measure, subject, middle(measure.name), middle("bare")) for measure in (VERDICTS, FAST)]
    figures.append(Figure(MEMORY, "a worker that judges", middle("memory"), MOST_MEMORY))
    if "ray" in samples[0]:
        figures.append(Figure(RAY, subject, middle("ray"), middle("process")))
    return tuple(figures)


def _samples(plan: Plan, seeds: Sequence[PaperSeed], repeats: int, scratch: Path) -> Iterator[dict[str, float]]:
    """Each repeat: tasks made in processes, on Ray, and submissions to them judged, with the peer before and after."""
    for repeat in range(repeats):
        folder = scratch / str(repeat)
        sample = {"process": _making(plan, folder / "tasks", "process")}
        if find_spec("ray"):
            sample["ray"] = _making(plan, folder / "ray", "ray")
        tasks = {path.name: path for path in (folder / "tasks").iterdir() if (path / "task.toml").is_file()}
        entries = list(_entries(tasks, folder / "work"))
        papers = _papers(folder / "tasks", seeds)
        before = pair_seconds(papers)
        for measure, fast in ((VERDICTS, False), (FAST, True)):
            sample |= _judging(measure, tasks, entries, How(folder / f"store-{fast}", fast), folder)
        after = pair_seconds(papers)
        yield sample | {"bare": 3600 * len(papers) / mean((before, after))}


def _papers(folder: Path, seeds: Sequence[PaperSeed]) -> list[PaperSeed]:
    """The paper of each task."""
    known = {seed.name: seed for seed in seeds}
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    return [known[row["seed"]] for row in manifest["tasks"]]


def _making(plan: Plan, out: Path, executor: str) -> float:
    """Admitted tasks per minute, with workers that are up."""
    store = out.with_name(f"{out.name}-store")
    with open_executor(executor, jobs=WORKERS) as workers:
        for pending in [workers.submit(os.getpid) for _ in range(4 * WORKERS)]:
            pending.result()
        fill = partial(generate, plan, out, store=store, executor=workers, report=_say_nothing)
        seconds, totals = timed(fill)
    return 60 * len(totals.admitted) / seconds


def _entries(tasks: dict[str, Path], work: Path) -> Iterator[Entry]:
    """An honest repair of each task whose sources no store knows, and its PDF the original's."""
    for number, (name, folder) in enumerate(sorted(tasks.items()), 1):
        files, root = _oracle(folder), read_package(folder).spec.root
        write_tree(files | {root: files[root] + b"\n% read once more\n" * number}, work / name)
        yield Entry(name, name, work / name)


def _oracle(folder: Path) -> Files:
    """The files of a task's reference repair."""
    package = read_package(folder)
    return next(case for case in package.cases if case.kind == "oracle").files(package.workspace)


def _judging(
    measure: Measure, tasks: dict[str, Path], entries: Sequence[Entry], how: How, folder: Path
) -> dict[str, float]:
    """Verdicts per core-hour; the references are built before, as they are when many submissions come to one task."""
    with open_executor("process", jobs=WORKERS) as executor:
        for pending in [executor.submit(judge, path, _oracle(path), how) for path in tasks.values()]:
            pending.result()
        out = folder / f"{measure.name}.jsonl"
        judging = partial(verify_batch, tasks, entries, out, executor=executor, how=how, report=_say_nothing)
        seconds, rows = timed(judging)
        memory = max(executor.submit(_memory).result() for _ in range(4 * WORKERS))
    if any(row["verdict"]["reward"] != 1 for row in rows):
        message = "an honest repair did not earn 1"
        raise UnsoundError(message)
    return {measure.name: 3600 * len(rows) / (seconds * WORKERS), "memory": memory}


def _memory() -> float:
    """Megabytes that this process had at its most; in `ru_maxrss` is what its parent had when it started it, too."""
    lines = Path("/proc/self/status").read_text("utf-8").splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM:")).split()[1]) / 1024


def _say_nothing(*_: object) -> None:
    """A run that is timed prints nothing."""
