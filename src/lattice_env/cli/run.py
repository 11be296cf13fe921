"""`lattice-env run`."""

from __future__ import annotations

import contextlib
import json as json_format
import os
import signal
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from types import FrameType
from typing import Annotated, Literal

from cyclopts import Parameter
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from lattice_env.agents.run import LLM, Job, Outcome, Player
from lattice_env.agents.run import run as play_jobs
from lattice_env.authoring.chat import Endpoint
from lattice_env.errors import UsageError
from lattice_env.sessions.opening import task_folders

from .places import err
from .places import out as stdout

KEY = "LATTICE_API_KEY"


def run(
    tasks: list[Path],
    *,
    out: Path,
    agent: Literal["nop", "oracle", "random", "rules", "llm"] = "nop",
    attempts: Annotated[int, Parameter(name=["--attempts", "-k"])] = 1,
    jobs: int = 1,
    steps: int | None = None,
    compile_seconds: float | None = None,
    seed: int = 0,
    base_url: str = "",
    model: str = "",
    json: bool = False,
) -> int:
    """Let an agent play tasks, attempt by attempt, and write the episodes for calibrate.

    Exit code 1 where an episode ended without a verdict.

    Parameters
    ----------
    tasks
        Task folders, or folders of them.
    out
        The folder for the episodes; what lies there already stays.
    agent
        Who plays: nop, oracle, random, rules (the repair loop's), or llm (an endpoint).
    attempts
        How often each task is played.
    jobs
        How many episodes are played at once.
    steps
        The agent's steps in each episode; 60 if not given, and never more than a task allows.
    compile_seconds
        The seconds of building in each episode; 300 if not given.
    seed
        Another seed, other moves of random.
    base_url
        The OpenAI-compatible endpoint of llm, such as http://127.0.0.1:8080/v1; key in LATTICE_API_KEY.
    model
        The model that the endpoint is asked for.
    json
        Print the outcome of each episode as JSON instead of a summary.
    """
    names = [str(folder) for place in tasks for folder in task_folders(place)]
    if attempts < 1 or jobs < 1 or not names:
        message = "no task was found" if not names else "--attempts and --jobs must be at least 1"
        raise UsageError(message, hint="TASKS are task folders, as generate makes them")
    player = Player(agent, seed, _endpoint(agent, base_url, model))
    asked = {"steps": steps, "compileSeconds": compile_seconds}
    budget = tuple((key, value) for key, value in asked.items() if value is not None)
    todo = [Job(name, attempt, player, budget, out) for name in names for attempt in range(1, attempts + 1)]
    with _interruptible(), _reporting(len(todo)) as report:
        outcomes = play_jobs(todo, jobs, report)
    if json:
        print(json_format.dumps([outcome.to_json() for outcome in outcomes], indent=1))
    else:
        stdout().print(_summary(outcomes, out), markup=False, soft_wrap=True)
    return int(any(outcome.reward is None for outcome in outcomes))


def _endpoint(agent: str, base_url: str, model: str) -> Endpoint | None:
    if agent != LLM:
        return None
    if not base_url or not model:
        message = "the agent llm needs --base-url and --model"
        raise UsageError(message, hint="any OpenAI-compatible endpoint will do")
    return Endpoint(base_url, model, os.environ.get(KEY, ""))


def _summary(outcomes: Sequence[Outcome], out: Path) -> str:
    counts = Counter(outcome.status for outcome in outcomes)
    rewards = [outcome.reward for outcome in outcomes if outcome.reward is not None]
    mean = f"{sum(rewards) / len(rewards):.3f}" if rewards else "none"
    states = ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))
    return f"{len(outcomes)} episodes ({states}), mean reward {mean}; records in {out / 'episodes.jsonl'}"


@contextlib.contextmanager
def _interruptible() -> Generator[None]:
    """SIGTERM is taken as an interrupt, so that no record stays open."""

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextlib.contextmanager
def _reporting(total: int) -> Generator[Callable[[Outcome, int], None]]:
    """A bar on a terminal, a line an episode elsewhere."""
    console = err()
    if not console.is_terminal:
        yield lambda outcome, done: console.print(f"[{done}/{total}] {_line(outcome)}", markup=False)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        bar = progress.add_task("playing", total=total)
        yield lambda outcome, done: progress.update(bar, completed=done, description=_line(outcome))


def _line(outcome: Outcome) -> str:
    reward = "none" if outcome.reward is None else f"{outcome.reward:g}"
    name = Path(outcome.job.task).name
    reason = f" ({outcome.reason})" if outcome.reason else ""
    return f"{name} #{outcome.job.attempt}: {outcome.status}, reward {reward}, {outcome.steps} steps{reason}"
