"""Rollouts of doc-edit through verifiers with an instant model: the package's own loop against its own MCP toolset.

`scripts/consumers doc-edit`, then `.consumers/doc-edit/bin/python -m benchmarks.rollouts`: verifiers is installed there
alone. The model is the endpoint that the consumers' tests call, and plays the oracle's calls; its time is in both.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from lattice_env.families.doc_edit.recipe import Knobs

from .bare import UnsoundError
from .figures import Figure, Measure, Report
from .machine import machine_facts
from .table import table_of

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "consumers" / "doc_edit"))

NAME = "rollouts"
LEVEL = "file"
PROCESS, MCP = "process", "mcp"
MODEL = "oracle"

ROLLOUTS = Measure(NAME, "rollouts in process", "rollouts behind its own MCP servers", "a core-s", 30, at_least=True)
MEASURES = (ROLLOUTS,)


@dataclass(frozen=True)
class Sample:
    """Rollouts one after the other, and what they took: processor seconds of all processes, and the clock's."""

    tools: str
    count: int
    processor: float
    seconds: float

    @property
    def rate(self) -> float:
        """Rollouts per second of processor time, which a busy machine does not change."""
        return self.count / self.processor

    def to_json(self) -> dict[str, Any]:
        """The sample with its rate."""
        return {**vars(self), "rate": self.rate}


def figures_of(samples: Sequence[Sample]) -> tuple[Figure, ...]:
    """The rate in process over the one behind servers, each over all its samples."""

    def rate(tools: str) -> float:
        mine = [sample for sample in samples if sample.tools == tools]
        return sum(sample.count for sample in mine) / sum(sample.processor for sample in mine)

    return (Figure(ROLLOUTS, f"level {LEVEL}, the oracle's calls", rate(PROCESS), rate(MCP)),)


def run(counts: dict[str, int]) -> Report:
    """Rollouts of one task each way, after one that is not counted."""
    from endpoint import serve  # noqa: PLC0415 - verifiers is not where the other benchmarks run
    from scripts import make_plan  # noqa: PLC0415

    knobs = Knobs(num_examples=1, seed="bench", levels=(LEVEL,))
    ((_, entry, _),) = make_plan(knobs)
    os.environ["SCRIPTED_KEY"] = "none"
    words = {"num_examples": 1, "seed": "bench", "levels": [LEVEL]}
    with serve({entry["prompt"]: entry["scripts"]}) as url:
        samples = [asyncio.run(_sample(tools, count, words, url)) for tools, count in counts.items()]
    return Report(figures_of(samples), tuple(sample.to_json() for sample in samples))


async def _sample(tools: str, count: int, knobs: dict[str, Any], url: str) -> Sample:
    import verifiers.v1 as vf  # noqa: PLC0415 - see above
    from run_v1 import attempt, environment  # noqa: PLC0415

    env = environment(knobs, tools)
    context = vf.ModelContext(client=vf.EvalClientConfig(base_url=url, api_key_var="SCRIPTED_KEY"), model=MODEL)
    async with env.serving():
        (task,) = list(env.taskset)
        await attempt(env, task, context)
        spent, started = _processor(), time.perf_counter()
        for _ in range(count):
            trace = await attempt(env, task, context)
            if trace.rewards["consistency_reward"].score != 1:
                message = "the oracle did not earn 1"
                raise UnsoundError(message)
        return Sample(tools, count, _processor() - spent, time.perf_counter() - started)


def _processor() -> float:
    """Processor seconds of this process and of those that it has started and seen end."""
    found = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in found)


def main(arguments: Sequence[str]) -> int:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rollouts", description=__doc__)
    parser.add_argument("--process", type=int, default=40, help="rollouts in process (40)")
    parser.add_argument("--mcp", type=int, default=4, help="rollouts behind servers (4)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write figures, samples and machine facts")
    options = parser.parse_args(arguments)
    report = run({PROCESS: options.process, MCP: options.mcp})
    Console(highlight=False, width=180).print(table_of(report.figures))
    for sample in report.samples:
        print(json.dumps(sample), file=sys.stderr)
    if options.json:
        body = {"machine": machine_facts(), "figures": [figure.to_json() for figure in report.figures]}
        options.json.write_text(json.dumps({**body, "samples": report.samples}, indent=1) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
