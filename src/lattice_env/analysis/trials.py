"""A trial: one attempt of an agent at a task, wherever its record came from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from lattice_env.sessions.record import REWARDED

SUSPECT = "suspect"
"""There is a reward, and a reason not to believe it."""
VERIFIER_ERROR = "verifier_error"
"""The verifier left no reward, and did not say that it could not judge."""
NO_RESULT = "no_result"
"""Nothing was written: the trial runs still, or was killed."""
TASK_UNKNOWN, TASK_EDITED = "task_unknown", "task_edited"
"""The task is not in the folder of tasks, or is another one than was tried."""

CONTROLS = ("oracle", "nop")
"""Agents that know the answer, or do nothing: what they earn says nothing about a task's difficulty."""


@dataclass(frozen=True)
class Policy:
    """Who acted: an agent with a model."""

    agent: str
    model: str

    @property
    def name(self) -> str:
        """The agent's name, with the model's where there is one."""
        return f"{self.agent} {self.model}".rstrip()


@dataclass(frozen=True)
class Trial:
    """One attempt: who, at what, and what came of it."""

    task: str
    """The task's folder name."""
    policy: Policy
    outcome: str
    """`scored` and `rejected` count; anything else is counted apart."""
    reward: float | None
    """Of a suspect trial too, for people to look at; only that of a scored one is ever averaged."""
    started_at: str
    place: Path
    """The trial's folder, or the file of records."""
    name: str
    """Unique among all trials."""
    reason: str = ""
    """Why it does not count, in words that many trials share; empty where it counts."""
    detail: str = ""
    """The reason at length."""
    red_lines: tuple[str, ...] | None = None
    """Codes of the red lines that were crossed; None where no verdict tells."""
    verifier: str = ""
    """SHA-256 of the verifier that judged; empty where it is not told."""
    task_id: str = ""
    task_digest: str = ""
    """Harbor's digest of the task's folder; empty where it is not told."""
    timed_out: bool = False
    """Whether the agent ran out of time; the verifier judges what it left."""
    attempt: int = 0
    """From 1, among the attempts of one policy at one task."""

    @property
    def counts(self) -> bool:
        """Whether the trial has a reward that counts."""
        return self.outcome in REWARDED

    def without_score(self, outcome: str, reason: str, detail: str = "") -> Trial:
        """The same trial, counted apart."""
        return replace(self, outcome=outcome, reason=reason, detail=detail)


def ranked(trials: Iterable[Trial]) -> list[Trial]:
    """All trials with their attempt numbers, by task, policy and the time at which they began."""
    order = sorted(trials, key=lambda t: (t.task, t.policy.agent, t.policy.model, t.started_at, t.name))
    seen: Counter[tuple[str, Policy]] = Counter()
    found: list[Trial] = []
    for trial in order:
        key = (trial.task, trial.policy)
        seen[key] += 1
        found.append(replace(trial, attempt=seen[key]))
    return found
