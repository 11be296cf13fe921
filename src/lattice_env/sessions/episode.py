"""One episode: a session, its parties, its budget and its record, from the first reply to the last."""

from __future__ import annotations

import shutil
import time
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lattice_env.actions import (
    CLAIMS,
    DEFER,
    PARTIAL,
    SOLVED,
    SUBMIT,
    UNSOLVED,
    Action,
    RefusedError,
    Reply,
    check_call,
    refusal,
)
from lattice_env.errors import EpisodeError
from lattice_env.verifier.verdict import INFRA_ERROR, InfraError

from .bench import HOME
from .journal import Journal
from .protocol import AGENT, ROLES, AgentFacts, Budget, Code, Step
from .record import ERROR, EpisodeRecord
from .session import Session

ENDING = ("submit", "defer", "answer")
"""The actions that only the agent may take, since they end its attempt."""
OUT_OF_STEPS, OUT_OF_SECONDS = "out of steps", "out of compile seconds"
PICTURE = "picture.png"
NEARLY = 0.999
"""From this reward on a task counts as solved, here as in calibrate."""


@dataclass(frozen=True)
class Event:
    """What one party changed."""

    role: str
    step: int
    action: str
    changed: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The event as plain data."""
        return {**vars(self), "changed": list(self.changed)}


@dataclass(frozen=True)
class Ending:
    """How an episode ended, as its record says it."""

    status: str
    reward: float | None
    red_lines: tuple[str, ...]
    reason: str
    """Empty for an ordinary submission."""


@dataclass
class Episode:
    """One attempt that is being made; `folder` is its own, and its name is the episode's."""

    session: Session
    agent: AgentFacts
    budget: Budget
    folder: Path
    journal: Journal
    attempt: int | None = None
    steps: int = 0
    """Actions of the agent."""
    building: float = 0.0
    """Seconds of builds that the agent's actions took."""
    ending: Ending | None = None
    """How it ended; None while it is open."""
    _events: list[Event] = field(default_factory=list[Event])
    _seen: dict[str, int] = field(default_factory=lambda: dict.fromkeys(ROLES, 0))
    _acted: int = 0

    def begin(self) -> dict[str, Any]:
        """What the agent is shown first."""
        facts = self.session.facts
        reply = self.session.begin()
        if reply.picture:
            (self.folder / PICTURE).write_bytes(reply.picture)
        public = {"step": 0, "stepsLeft": self.budget.steps, "task": facts.name, "family": facts.family}
        tools = [tool.definition() for tool in self.session.tools.values()]
        info = {"tools": tools, "budget": {"steps": self.budget.steps, "compileSeconds": self.budget.compile_seconds}}
        return self._reply(public, reply, {}, info=info)

    def step(self, request: Step, building: float | None = None) -> dict[str, Any]:
        """What an action is answered, with the verdict where it is the last.

        `building` are the seconds to charge for builds, where they are not those that were measured: a replay
        charges what was charged. Raises EpisodeError where nothing is done and nothing is counted.
        """
        action, role = request.action, request.role
        started = time.perf_counter()
        reply = self._act(action, role)
        self._acted += 1
        events = self._events_for(role)
        if reply.changed:
            self._events.append(Event(role, self._acted, action.name, reply.changed))
        if role == AGENT:
            self.steps += 1
            self.building += reply.building if building is None else building
        timings = {"seconds": round(time.perf_counter() - started, 6), "building": round(reply.building, 6)}
        public = {
            "step": self._acted,
            "stepsLeft": self.budget.steps - self.steps,
            "role": role,
            "action": action.name[:40],
            "refused": reply.refused,
            "changed": list(reply.changed),
        }
        out = self._exhausted() if role == AGENT and not reply.ended else ""
        if not reply.ended and not out:
            return self._reply(public, reply, timings, events=events)
        return self._end(public, reply, timings, events, _reason(action, reply, out), _claim(action, reply))

    def abort(self, reason: str) -> None:
        """End the episode without a verdict."""
        self.ending = self.ending or Ending(ERROR, None, (), reason)

    def close(self) -> None:
        """Remove what only the episode needed, and close its record; once, behind its last exchange."""
        assert self.ending is not None  # noqa: S101 - it has ended
        shutil.rmtree(self.folder / HOME, ignore_errors=True)
        facts, ending = self.session.facts, self.ending
        record = EpisodeRecord(
            episode=self.folder.name,
            task=facts.name,
            task_id=facts.task_id,
            family=facts.family,
            agent=self.agent.name,
            model=self.agent.model,
            attempt=self.attempt or 1,
            seed=self.agent.seed,
            status=ending.status,
            reward=ending.reward,
            verifier=facts.verifier,
            red_lines=ending.red_lines,
            started_at=self.journal.started_at,
            reason=ending.reason,
        )
        self.journal.close(record, self.attempt)

    def _act(self, action: Action, role: str) -> Reply:
        try:
            check_call(self.session.tools, action.name, action.arguments)
            _check_role(role, action)
            return self.session.act(action)
        except RefusedError as error:
            return refusal(error)
        except InfraError as error:
            raise EpisodeError(Code.INFRA_ERROR, str(error)) from error

    def _events_for(self, role: str) -> list[dict[str, Any]]:
        """What others changed since this party last acted."""
        new = [event.to_json() for event in self._events[self._seen[role] :] if event.role != role]
        self._seen[role] = len(self._events)
        return new

    def _exhausted(self) -> str:
        if self.steps >= self.budget.steps:
            return OUT_OF_STEPS
        return OUT_OF_SECONDS if self.building >= self.budget.compile_seconds else ""

    def _end(
        self,
        public: dict[str, Any],
        reply: Reply,
        timings: dict[str, Any],
        events: list[dict[str, Any]],
        reason: str,
        claim: str,
    ) -> dict[str, Any]:
        """Judge the work as it stands."""
        started = time.perf_counter()
        verdict = self.session.judge()
        timings["judging"] = round(time.perf_counter() - started, 6)
        codes = tuple(line["code"] for line in verdict["redLines"])
        why = str(verdict.get("error") or reason) if verdict["status"] == INFRA_ERROR else reason
        told = {key: verdict[key] for key in ("status", "reward", "components", "gates", "redLines")}
        told |= {"claim": claim or None, "claimMatches": _matches(claim, verdict), "reason": why}
        answer = self._reply(public, reply, timings, events=events, info={"verdict": told})
        self.ending = Ending(verdict["status"], verdict["reward"], codes, why)
        return answer | {"reward": verdict["reward"], "terminated": reply.ended, "truncated": not reply.ended}

    def _reply(
        self,
        public: Mapping[str, Any],
        reply: Reply,
        timings: Mapping[str, Any],
        *,
        events: list[dict[str, Any]] | None = None,
        info: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        private: dict[str, Any] = {"text": reply.text}
        if reply.picture:
            private["picture"] = b64encode(reply.picture).decode("ascii")
        left = {"compileSecondsLeft": round(max(0.0, self.budget.compile_seconds - self.building), 6)}
        return {
            "obs": {"public": dict(public), "private": private},
            "reward": None,
            "terminated": False,
            "truncated": False,
            "events": events or [],
            "info": {"episode": self.folder.name, "timings": dict(timings), **left, **(info or {})},
        }


def _check_role(role: str, action: Action) -> None:
    if role != AGENT and action.name in ENDING:
        raise RefusedError("only the agent ends its attempt.")


def _reason(action: Action, reply: Reply, out: str) -> str:
    """Why the episode ended: empty for an ordinary submission."""
    if reply.ended and action.name == DEFER.name:
        return f"deferred: {action.arguments['reason']}"[:500]
    return out


def _claim(action: Action, reply: Reply) -> str:
    if reply.ended and action.name == DEFER.name:
        return UNSOLVED
    return str(action.arguments.get("claim", "")) if reply.ended and action.name == SUBMIT.name else ""


def _matches(claim: str, verdict: Mapping[str, Any]) -> bool | None:
    """Whether a claim is what the verdict says; None without one of them."""
    if claim not in CLAIMS or verdict["reward"] is None:
        return None
    reward: float = verdict["reward"]
    return claim == (SOLVED if reward >= NEARLY else PARTIAL if reward else UNSOLVED)
