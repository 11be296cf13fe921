"""The command line: `python -m benchmarks [BENCHMARK …]`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console

from lattice_env.errors import LatticeError
from lattice_env.model import PaperSeed
from lattice_env.seeds import load_seeds
from lattice_env.verifier.verdict import InfraError

from . import documents, episodes, generation, guard, leakage, repairs, scale, verification
from .bare import UnsoundError
from .figures import Report
from .machine import machine_facts
from .table import table_of

BENCHMARKS = (
    verification.NAME,
    generation.NAME,
    guard.NAME,
    leakage.NAME,
    documents.NAME,
    episodes.NAME,
    repairs.NAME,
    scale.NAME,
)
SEEDS = "tutorial,chapters,humanities"
LIMIT, LONG = 10, 24
"""Tasks of a run; of one whose last task, which one worker is at alone, must not count for much."""
WIDE = 180
"""Columns of the table where the output is no terminal."""


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The options; all benchmarks where none is named."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="benchmark", help=f"{', '.join(BENCHMARKS)}; all if none is named")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write figures, samples and machine facts")
    parser.add_argument("--seeds", type=_names, default=_names(SEEDS), help=f"seed papers ({SEEDS})")
    parser.add_argument("--repeats", type=_count, default=3, help="how often each thing is measured (3)")
    parser.add_argument("--texts", type=_count, default=10_000, help="texts of the split that is checked (10000)")
    parser.add_argument(
        "--limit",
        type=_count,
        help=f"tasks of generation ({LONG}); tasks of scale and repair (with --tasks of each operator), "
        f"mutants a paper ({LIMIT})",
    )
    parser.add_argument("--tasks", type=Path, metavar="DIR", help="task packages for repair; fresh ones if not given")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.names if name not in BENCHMARKS]
    if unknown:
        parser.error(f"no benchmark is called {unknown[0]!r}")
    options.names = options.names or list(BENCHMARKS)
    return options


def _names(text: str) -> list[str]:
    return [name for name in text.split(",") if name]


def _count(text: str) -> int:
    count = int(text)
    if count < 1:
        message = f"{count} is less than 1"
        raise argparse.ArgumentTypeError(message)
    return count


def main(arguments: Sequence[str]) -> int:
    """Run what is asked for and print the table; 0 whether aims are met or not, 1 where nothing can be measured."""
    options = parse(arguments)
    try:
        facts = machine_facts()
        seeds = _seeds(options.seeds)
        reports = {name: _run(name, seeds, options) for name in options.names}
    except (InfraError, LatticeError, UnsoundError) as error:
        print(f"nothing is measured: {error}", file=sys.stderr)
        return 1
    console = Console(highlight=False, width=None if sys.stdout.isatty() else WIDE)
    console.print(", ".join(f"{name}: {fact}" for name, fact in facts.items()), markup=False)
    console.print(table_of(figure for report in reports.values() for figure in report.figures))
    if repairs.NAME in reports:
        console.print(repairs.operator_table(reports[repairs.NAME].samples))
    if options.json:
        body = {"machine": facts, "repeats": options.repeats, "benchmarks": _bodies(reports)}
        options.json.write_text(json.dumps(body, indent=1, ensure_ascii=False) + "\n", "utf-8")
    return 0


def _seeds(names: Sequence[str]) -> list[PaperSeed]:
    """The seeds of these names, in this order; UnsoundError for one that cannot be used."""
    known = {seed.name: seed for seed in load_seeds() if not seed.unavailable}
    for name in names:
        if name not in known:
            message = f"no seed {name!r} can be used; known: {', '.join(known)}"
            raise UnsoundError(message)
    return [known[name] for name in names]


def _run(name: str, seeds: Sequence[PaperSeed], options: argparse.Namespace) -> Report:
    repeats, limit = options.repeats, options.limit or LIMIT
    runs: dict[str, Callable[[], Report]] = {
        verification.NAME: lambda: verification.run(seeds, repeats),
        generation.NAME: lambda: generation.run(seeds, repeats, options.limit or LONG),
        guard.NAME: lambda: guard.run(seeds, repeats, limit),
        leakage.NAME: lambda: leakage.run(options.texts),
        documents.NAME: lambda: documents.run(repeats),
        episodes.NAME: lambda: episodes.run(seeds, repeats),
        repairs.NAME: lambda: repairs.run(seeds, limit, options.tasks),
        scale.NAME: lambda: scale.run(seeds, repeats, limit),
    }
    return runs[name]()


def _bodies(reports: dict[str, Report]) -> dict[str, object]:
    return {
        name: {"figures": [figure.to_json() for figure in report.figures], "samples": list(report.samples)}
        for name, report in reports.items()
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
