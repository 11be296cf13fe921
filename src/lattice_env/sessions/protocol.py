"""The messages of the JSON-lines protocol, parsed strictly; `schema` has the same in JSON Schema."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, cast

from lattice_env.actions import Action
from lattice_env.errors import EpisodeError

PROTOCOL = 1
"""The version of the messages; every reply carries it."""
MOST_LINE = 4 << 20
"""Bytes of the longest request."""

AGENT, HUMAN, SIMULATOR, SYSTEM = "agent", "human", "simulator", "system"
ROLES = (AGENT, HUMAN, SIMULATOR, SYSTEM)
"""The parties; only the agent's steps count, and only the agent ends an attempt."""
STEPS, COMPILE_SECONDS = 60, 300.0
"""The budget of an agent that names none."""
MOST_NAME, MOST_SECONDS = 200, 1e6


class Code(StrEnum):
    """What is wrong with a request, or with what it asks for."""

    NOT_JSON = "not-json"
    TOO_LONG = "too-long"
    BAD_REQUEST = "bad-request"
    UNKNOWN_OP = "unknown-op"
    UNKNOWN_TASK = "unknown-task"
    BAD_TASK = "bad-task"
    NO_EPISODE = "no-episode"
    EPISODE_OPEN = "episode-open"
    EPISODE_OVER = "episode-over"
    WORKSPACE_GONE = "workspace-gone"
    INFRA_ERROR = "infra-error"


@dataclass(frozen=True)
class AgentFacts:
    """Who acts, for the records."""

    name: str = "unknown"
    model: str = ""
    seed: int | None = None


@dataclass(frozen=True)
class Budget:
    """What the agent may use up."""

    steps: int = STEPS
    compile_seconds: float = COMPILE_SECONDS


@dataclass(frozen=True)
class Reset:
    """Begin an episode."""

    task: str
    agent: AgentFacts
    budget: Budget


@dataclass(frozen=True)
class Step:
    """Do one action."""

    action: Action
    role: str


@dataclass(frozen=True)
class Close:
    """End the episode, whatever it has come to."""


type Request = Reset | Step | Close


def parse_line(line: bytes) -> object:
    """The JSON of a line; EpisodeError where it is none."""
    if len(line) > MOST_LINE:
        raise EpisodeError(Code.TOO_LONG, f"a request has {MOST_LINE} bytes at most")
    try:
        return json.loads(line, parse_constant=_refuse, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        message = f"the line is no JSON: {str(error)[:200]}"
        raise EpisodeError(Code.NOT_JSON, message) from error


def parse_request(body: object) -> Request:
    """The request that a JSON value is; EpisodeError names the field that is not what it must be."""
    if not isinstance(body, Mapping):
        raise EpisodeError(Code.BAD_REQUEST, "a request is an object")
    fields = dict(cast("Mapping[str, Any]", body))
    match fields.pop("op", None):
        case "reset":
            _check_keys("reset", fields, {"task", "agent", "budget"})
            task = _text("task", fields.get("task"), MOST_NAME * 10)
            return Reset(task, _agent(fields.get("agent", {})), _budget(fields.get("budget", {})))
        case "step":
            _check_keys("step", fields, {"action", "role"})
            return Step(_action(fields.get("action")), _role(fields.get("role", AGENT)))
        case "close":
            _check_keys("close", fields, set())
            return Close()
        case other:
            message = f"op is one of reset, step, close, not {str(other)[:40]!a}"
            raise EpisodeError(Code.UNKNOWN_OP if isinstance(other, str) else Code.BAD_REQUEST, message)


def _refuse(word: str) -> None:
    message = f"{word} is no value here"
    raise ValueError(message)


def _finite(word: str) -> float:
    value = float(word)
    if value in (float("inf"), -float("inf")):
        _refuse(word[:40])
    return value


def _bad(place: str, wanted: str) -> EpisodeError:
    return EpisodeError(Code.BAD_REQUEST, f"{place} must be {wanted}")


def _table(place: str, value: object) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise _bad(place, "an object")
    return dict(cast("Mapping[str, Any]", value))


def _check_keys(place: str, fields: Mapping[str, Any], known: set[str]) -> None:
    if unknown := sorted(fields.keys() - known):
        message = f"{place} takes {', '.join(sorted(known)) or 'nothing'}, not {unknown[0][:40]!a}"
        raise EpisodeError(Code.BAD_REQUEST, message)


def _text(place: str, value: object, most: int = MOST_NAME, *, empty: bool = False) -> str:
    if not isinstance(value, str) or len(value) > most or not (value or empty):
        raise _bad(place, f"a text of {0 if empty else 1} to {most} characters")
    if not value.isprintable():
        raise _bad(place, "printable text")
    return value


def _agent(value: object) -> AgentFacts:
    fields = _table("agent", value)
    _check_keys("agent", fields, {"name", "model", "seed"})
    seed = fields.get("seed")
    if seed is not None and type(seed) is not int:
        raise _bad("agent.seed", "a whole number or null")
    name, model = fields.get("name", AgentFacts.name), fields.get("model", "")
    return AgentFacts(_text("agent.name", name), _text("agent.model", model, empty=True), seed)


def _budget(value: object) -> Budget:
    fields = _table("budget", value)
    _check_keys("budget", fields, {"steps", "compileSeconds"})
    steps, seconds = fields.get("steps", STEPS), fields.get("compileSeconds", COMPILE_SECONDS)
    if type(steps) is not int or steps < 1:
        raise _bad("budget.steps", "a whole number from 1")
    if type(seconds) not in (int, float) or not 0 < seconds <= MOST_SECONDS:
        raise _bad("budget.compileSeconds", f"a number above 0, at most {MOST_SECONDS:.0f}")
    return Budget(steps, float(seconds))


def _action(value: object) -> Action:
    fields = _table("action", value)
    name = fields.pop("type", None)
    if not isinstance(name, str):
        raise _bad("action.type", "text")
    return Action(name, fields)


def _role(value: object) -> str:
    if value not in ROLES:
        raise _bad("role", f"one of {', '.join(ROLES)}")
    return cast("str", value)
