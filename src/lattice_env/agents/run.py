"""Many episodes at once: each task, each attempt, in as many processes as there are workers."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

from lattice_env.authoring.chat import Endpoint, EndpointError
from lattice_env.errors import UsageError
from lattice_env.executors.process import WorkerKilledError
from lattice_env.sessions.host import Host

from .llm import LlmLimits, llm
from .loop import Agent, Told, play
from .rules import rules
from .simple import keyed_random, nop, oracle

NOP, ORACLE, RANDOM, RULES, LLM = "nop", "oracle", "random", "rules", "llm"
AGENTS = (NOP, ORACLE, RANDOM, RULES, LLM)


@dataclass(frozen=True)
class Player:
    """Who plays: one of AGENTS, with what it needs."""

    name: str
    seed: int = 0
    """Of `random`: attempt n has the seed `seed` + n."""
    endpoint: Endpoint | None = None
    """Of `llm`."""
    limits: LlmLimits | None = None

    def facts(self, attempt: int) -> dict[str, Any]:
        """The agent as a request names it."""
        seed = {"seed": self.seed + attempt} if self.name == RANDOM else {}
        return {"name": self.name, "model": self.endpoint.model if self.endpoint else "", **seed}

    def agent(self, host: Host, attempt: int) -> Agent:
        """The agent, for the episode that is open."""
        if self.name == LLM:
            if self.endpoint is None:
                raise UsageError("llm needs an endpoint")
            return llm(self.endpoint, self.limits)
        if self.name == ORACLE:
            assert host.episode is not None  # noqa: S101 - it is made once the task is open
            return oracle(host.episode.session.solution())
        return keyed_random(self.seed + attempt) if self.name == RANDOM else {NOP: nop, RULES: rules}[self.name]


@dataclass(frozen=True)
class Job:
    """One episode that is to be played."""

    task: str
    attempt: int
    player: Player
    budget: tuple[tuple[str, float], ...]
    """The budget as a request has it; what is not in it is the protocol's."""
    episodes: Path


@dataclass(frozen=True)
class Outcome:
    """What became of a job."""

    job: Job
    status: str
    reward: float | None
    steps: int
    reason: str
    red_lines: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The outcome as plain data."""
        own = {name: getattr(self, name) for name in ("status", "reward", "steps", "reason")}
        return {"task": self.job.task, "attempt": self.job.attempt, **own, "redLines": list(self.red_lines)}


def play_job(job: Job) -> Outcome:
    """Play one episode. What keeps it from a verdict is its outcome, and no error."""
    host = Host(job.episodes, attempt=job.attempt)
    request = {"op": "reset", "task": job.task, "agent": job.player.facts(job.attempt), "budget": dict(job.budget)}
    try:
        told = play(host, request, lambda host: job.player.agent(host, job.attempt))
    except EndpointError as error:
        return Outcome(job, "error", None, 0, str(error))
    return _outcome(job, told)


def _outcome(job: Job, told: Told) -> Outcome:
    if not told["ok"]:
        return Outcome(job, "error", None, 0, f"{told['error']['code']}: {told['error']['message']}")
    verdict = told["info"]["verdict"]
    codes = tuple(line["code"] for line in verdict["redLines"])
    steps: int = told["obs"]["public"]["step"]
    return Outcome(job, verdict["status"], verdict["reward"], steps, verdict["reason"], codes)


def run(jobs: Sequence[Job], workers: int, report: Callable[[Outcome, int], None]) -> list[Outcome]:
    """The outcomes in the order of the jobs; `report` hears each as it comes, and how many have come.

    An interrupt, or SIGTERM, ends the episodes that are being played; their records say so. WorkerKilledError where a
    worker is killed: an episode is not played again, since its agent may have been paid for.
    """
    outcomes: dict[Job, Outcome] = {}
    for outcome in _played(jobs, workers):
        outcomes[outcome.job] = outcome
        report(outcome, len(outcomes))
    return [outcomes[job] for job in jobs]


def _played(jobs: Sequence[Job], workers: int) -> Iterator[Outcome]:
    if workers == 1:
        yield from map(play_job, jobs)
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(min(workers, len(jobs)), mp_context=context, initializer=_start)
    try:
        futures = [pool.submit(play_job, job) for job in jobs]
        for future in as_completed(futures):
            yield future.result()
    except BrokenProcessPool as error:
        message = "a worker was killed in the middle of an episode"
        raise WorkerKilledError(message, hint="what ended is in the records: play the rest again") from error
    except BaseException:
        _stop(pool)
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _stop(pool: ProcessPoolExecutor) -> None:
    """End the workers, each by an interrupt, on which it closes the record of its episode."""
    pool.shutdown(wait=False, cancel_futures=True)
    for child in multiprocessing.active_children():
        if child.pid:
            os.kill(child.pid, signal.SIGTERM)


def _start() -> None:
    """In a worker: SIGTERM interrupts; the terminal's interrupt is left to the parent, which tells us once."""

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupt)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
