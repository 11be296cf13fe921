"""Where a verdict's time goes: `python -m benchmarks.phases [SEED]`, for each way to reach a verdict.

Each phase is a function of the verifier that is timed where it is called; what phases hold of each other counts for
the inner one. Seconds are of the wall clock, shares of the whole verdict.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest.mock import patch

from rich.console import Console
from rich.table import Table

from lattice_env.families.paper.make import make_tasks
from lattice_env.families.paper.operator import BUILD_REPAIR
from lattice_env.model import Files
from lattice_env.packages import write_package
from lattice_env.seeds import load_seeds
from lattice_env.verification.work import How, judge
from lattice_env.verifier import build, papers, sandbox, store
from lattice_env.verifier.store import Store
from lattice_env.verifier.verdict import Finding

NOTE = b"\n% read once more\n"
REPEATS = 5
PROGRAMS = ("latexmk", "pdflatex", "pdftotext", "pdftoppm")
STATIC = "sources compared, static gates, red lines"
PHASES = {
    "task folder read and checked": [("lattice_env.verification.work", "checked_spec")],
    STATIC: [(papers, "Comparison")],
    "tree written and removed": [(build, "write_tree"), (build, "_read_products")],
    "facts read from the products": [(store, "read_facts")],
    "pages heard": [(store, "hear_witness")],
    "grade": [(papers, "grade")],
}
"""What is timed, beside the programs and each static check: the function by its module and name."""


class Clock:
    """Seconds by phase, of nested calls the inner one's alone."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self._inner = [0.0]

    def timing(self, name: Callable[..., str], work: Callable[..., Any]) -> Callable[..., Any]:
        """The same function, timed under what `name` makes of its arguments."""

        def timed(*words: Any, **options: Any) -> Any:
            started = time.perf_counter()
            self._inner.append(0.0)
            try:
                return work(*words, **options)
            finally:
                spent = time.perf_counter() - started
                self.seconds[name(*words)] += spent - self._inner.pop()
                self._inner[-1] += spent

        return timed


def _program(command: Sequence[str], *_: object) -> str:
    return Path(command[0]).name


def _static(clock: Clock, check: Callable[..., Iterable[Finding]]) -> Callable[..., list[Finding]]:
    """A static check that is timed; its findings are made when it is called."""
    return clock.timing(lambda *_: STATIC, lambda case: [*check(case)])


def profile(work: Callable[[], object]) -> dict[str, float]:
    """Seconds by phase of one verdict, the rest under `rest`."""
    clock = Clock()
    with ExitStack() as stack:
        stack.enter_context(patch.object(sandbox, "run", clock.timing(_program, sandbox.run)))
        for phase, places in PHASES.items():
            for place, name in places:
                module = sys.modules[place] if isinstance(place, str) else place
                timed = clock.timing(lambda *_, phase=phase: phase, getattr(module, name))
                stack.enter_context(patch.object(module, name, timed))
        gates = {name: _static(clock, check) for name, check in papers.STATIC.items()}
        stack.enter_context(patch.object(papers, "STATIC", gates))
        stack.enter_context(patch.object(papers, "RULES", [_static(clock, rule) for rule in papers.RULES]))
        clock.timing(lambda: "rest", work)()
    return dict(clock.seconds)


def ways(name: str, scratch: Path) -> dict[str, Callable[[int], Callable[[], object]]]:
    """Way → (number of the repeat → a verdict to be timed)."""
    seed = next(seed for seed in load_seeds() if seed.name == name)
    task = next(make_tasks(BUILD_REPAIR, seed, "bench", Store()))
    folder, primed = scratch / "task", scratch / "primed"
    write_package(task, folder)
    Store(primed, fast=True).outcome(seed.files, seed.root)
    oracle = {**task.start, **task.solution}
    path = seed.root

    def honest(number: int) -> Files:
        return {**oracle, path: oracle[path] + NOTE * (number + 1)}

    def other(number: int) -> Files:
        return {
            **oracle,
            seed.root: oracle[seed.root].replace(b"\\end{document}", b"x\n" * (number + 1) + b"\\end{document}"),
        }

    return {
        "cold": lambda n: lambda: judge(folder, honest(n), How(scratch / f"none-{n}")),
        "reference in the store": lambda n: lambda: judge(folder, honest(n), How(primed)),
        "the same, --fast": lambda n: lambda: judge(folder, honest(n + REPEATS), How(primed, fast=True)),
        "another text, --fast": lambda n: lambda: judge(folder, other(n), How(primed, fast=True)),
        "the original's sources": lambda _: lambda: judge(folder, oracle, How(primed)),
        "rejected statically": lambda _: lambda: judge(folder, {**task.start, ".latexmkrc": b""}, How(primed)),
    }


def main(arguments: Sequence[str]) -> int:
    """Print a table: a line for each phase, a column for each way."""
    with tempfile.TemporaryDirectory(prefix="bench-") as scratch:
        found = {
            way: [profile(make(number)) for number in range(REPEATS)]
            for way, make in ways(arguments[0] if arguments else "tutorial", Path(scratch)).items()
        }
    columns = {way: sorted(runs, key=lambda run: sum(run.values()))[REPEATS // 2] for way, runs in found.items()}
    table = Table("phase", *columns, title=f"milliseconds, the run of {REPEATS} with the median sum")
    for phase in (*PROGRAMS, *PHASES, "rest"):
        table.add_row(phase, *(f"{1000 * run.get(phase, 0):.0f}" for run in columns.values()))
    table.add_row("sum", *(f"{1000 * sum(run.values()):.0f}" for run in columns.values()))
    Console(highlight=False, width=None if sys.stdout.isatty() else 180).print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
