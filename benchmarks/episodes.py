"""What an episode costs beside the work itself: a reset, a read, an edit, and a build over the bare one."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

from lattice_env.families.paper.make import make_task
from lattice_env.families.paper.operator import operators
from lattice_env.model import PaperSeed
from lattice_env.packages import checked_package, write_package
from lattice_env.sessions.host import Host
from lattice_env.verifier.latex import decode
from lattice_env.verifier.store import Store

from .bare import UnsoundError, bare_seconds
from .clock import timed
from .figures import Figure, Measure, Report

NAME = "episodes"
OPERATOR = "TEX-CMD-TRP"
EPISODES, STEPS, RESETS, FILES = 4, 190, 60, 10
"""Episodes of so many steps, half of them reads; resets; and files of the paper that is reset to."""
LATE = 0.99

RESET = Measure(NAME, "reset, median", "the limit: 20 ms", "ms", 1)
READ = Measure(NAME, "read, 99th percentile", "the limit: 1 ms", "ms", 1)
EDIT = Measure(NAME, "edit, 99th percentile", "the limit: 1 ms", "ms", 1)
COMPILE = Measure(NAME, "compile", "bare latexmk", "s", 1.1)
AGAIN = Measure(NAME, "compile of unchanged sources", "the limit: 10 ms", "ms", 1, informative=True)
MEASURES = (RESET, READ, EDIT, AGAIN, COMPILE)
_LIMITS = {RESET: 20.0, READ: 1.0, EDIT: 1.0, AGAIN: 10.0}


@dataclass(frozen=True)
class Sample:
    """One thing that was done, and the seconds that it took from the request to the reply."""

    name: str
    paper: str
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """The sample as it is."""
        return dict(vars(self))


def run(seeds: Sequence[PaperSeed], repeats: int) -> Report:
    """Resets and steps at the first paper, with files added up to ten; builds of each, beside a bare build of it."""
    samples: list[Sample] = []
    with tempfile.TemporaryDirectory(prefix="episodes-") as scratch:
        for place, seed in enumerate(seeds):
            folder = Path(scratch) / seed.name
            _package(_of_ten(seed) if not place else seed, folder)
            host = Host(Path(scratch) / "episodes")
            if not place:
                samples += _quick(host, folder, seed.name)
            samples += [sample for _ in range(repeats) for sample in _builds(host, folder, seed)]
    return Report(figures_of(samples), tuple(sample.to_json() for sample in samples))


def figures_of(samples: Sequence[Sample]) -> tuple[Figure, ...]:
    """Medians and percentiles over the limits; of builds, the median of each paper over its bare median."""
    first = samples[0].paper
    figures = [
        Figure(measure, first, 1000 * value, _LIMITS[measure])
        for measure, value in (
            (RESET, median(_seconds(samples, RESET.name, first))),
            (READ, _late(_seconds(samples, READ.name, first))),
            (EDIT, _late(_seconds(samples, EDIT.name, first))),
            (AGAIN, median(_seconds(samples, AGAIN.name, first))),
        )
    ]
    for paper in dict.fromkeys(sample.paper for sample in samples):
        ours, bare = (median(_seconds(samples, name, paper)) for name in (COMPILE.name, "bare"))
        figures.append(Figure(COMPILE, paper, ours, bare))
    return tuple(figures)


def _seconds(samples: Sequence[Sample], name: str, paper: str) -> list[float]:
    return [sample.seconds for sample in samples if (sample.name, sample.paper) == (name, paper)]


def _late(seconds: list[float]) -> float:
    """The 99th percentile: as late as one of a hundred is."""
    return sorted(seconds)[min(len(seconds) - 1, int(LATE * len(seconds)))]


def _of_ten(seed: PaperSeed) -> PaperSeed:
    """The paper with files of 4 kB beside it, ten in all."""
    more = {f"parts/{number}.txt": b"a line of text\n" * 280 for number in range(max(0, FILES - len(seed.files)))}
    return replace(seed, files={**seed.files, **more})


def _package(seed: PaperSeed, folder: Path) -> None:
    task = make_task(seed, operators()[OPERATOR], NAME, Store()).task
    if task is None:
        message = f"{OPERATOR} has no task in {seed.name}"
        raise UnsoundError(message)
    write_package(task, folder)


def _quick(host: Host, folder: Path, paper: str) -> list[Sample]:
    """Resets, then reads and edits."""
    samples: list[Sample] = []
    for _ in range(RESETS):
        seconds, _ = timed(lambda: _reset(host, folder))
        samples.append(Sample(RESET.name, paper, seconds))
        host.leave(NAME)
    for _ in range(EPISODES):
        samples += _steps(host, folder, paper)
    return samples


def _steps(host: Host, folder: Path, paper: str) -> list[Sample]:
    """Reads and edits in turn, in one episode."""
    samples: list[Sample] = []
    _reset(host, folder)
    root = checked_package(folder).root
    first = _done(host, "read", path=root).split("\n")[0]
    lines = (first, f"{first} % edited")
    for number in range(STEPS // 2):
        old, new = lines[:: 1 if number % 2 == 0 else -1]
        seconds, _ = timed(lambda: _done(host, "read", path=root))
        samples.append(Sample(READ.name, paper, seconds))
        whole = {"path": root, "old": f"{old}\n", "new": f"{new}\n"}
        seconds, _ = timed(lambda whole=whole: _done(host, "edit", **whole))
        samples.append(Sample(EDIT.name, paper, seconds))
    host.leave(NAME)
    return samples


def _builds(host: Host, folder: Path, seed: PaperSeed) -> list[Sample]:
    """A build of the good paper through an episode, the same once more, and a bare one."""
    _reset(host, folder)
    for path in seed.editable:
        _done(host, "write", path=path, text=decode(seed.files[path]))
    first, _ = timed(lambda: _built(host))
    again, _ = timed(lambda: _built(host))
    host.leave(NAME)
    bare = bare_seconds(seed)
    named = ((COMPILE.name, first), (AGAIN.name, again), ("bare", bare))
    return [Sample(name, seed.name, seconds) for name, seconds in named]


def _reset(host: Host, folder: Path) -> Mapping[str, Any]:
    told = host.take({"op": "reset", "task": str(folder), "budget": {"steps": STEPS + 10}})
    if not told["ok"]:
        raise UnsoundError(told["error"]["message"])
    return told


def _done(host: Host, name: str, **arguments: Any) -> str:
    """What an action is answered; UnsoundError where it is not carried out."""
    told = host.take({"op": "step", "action": {"type": name, **arguments}})
    if not told["ok"] or told["obs"]["public"]["refused"]:
        message = f"{name} was not done: {told}"
        raise UnsoundError(message[:500])
    return str(told["obs"]["private"]["text"])


def _built(host: Host) -> None:
    text = _done(host, "compile")
    if not text.startswith("Built"):
        raise UnsoundError(text)
