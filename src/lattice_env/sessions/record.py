"""One line of `episodes.jsonl`: what became of an episode, for `calibrate` and for everything else that counts.

A line is one JSON object with exactly these keys (docs/guides/calibration.md has an example):

- `format`: 1
- `episode`: the episode's name, unique in its file
- `task`, `taskId`, `family`: the task's folder name, its identity (as in task.toml), its family
- `agent`, `model`: who acted; `model` is "" where there is none
- `attempt`: from 1, among this agent's attempts at this task; `seed`: the agent's own, or null
- `status`, `reward`, `verifier`, `redLines`: as in verdict.json, the red lines by code only; status `error` where the
  episode ended without a verdict
- `startedAt`: ISO 8601 with a time zone
- `reason`: why the episode ended as it did: "" after an ordinary submission, never "" without a reward
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, cast

from lattice_env.errors import RecordError
from lattice_env.verifier.verdict import INFRA_ERROR, REJECTED, SCORED

FORMAT = 1
ERROR = "error"
"""The episode ended without a verdict: the client went away, the session broke, it was stopped."""
STATUSES = (SCORED, REJECTED, INFRA_ERROR, ERROR)
REWARDED = (SCORED, REJECTED)
"""The statuses that have a reward; the others have none."""

_KEYS = {
    "format": "format",
    "episode": "episode",
    "task": "task",
    "taskId": "task_id",
    "family": "family",
    "agent": "agent",
    "model": "model",
    "attempt": "attempt",
    "seed": "seed",
    "status": "status",
    "reward": "reward",
    "verifier": "verifier",
    "redLines": "red_lines",
    "startedAt": "started_at",
    "reason": "reason",
}
_WORDS = ("episode", "task", "taskId", "family", "agent", "verifier", "startedAt")
"""Text that is never empty; `model` and `reason` may be."""


@dataclass(frozen=True)
class EpisodeRecord:
    """What became of one episode."""

    episode: str
    task: str
    task_id: str
    family: str
    agent: str
    model: str
    attempt: int
    seed: int | None
    status: str
    reward: float | None
    verifier: str
    red_lines: tuple[str, ...]
    started_at: str
    reason: str

    def to_json(self) -> str:
        """The record as one line, without its newline."""
        body = {key: getattr(self, name) for key, name in _KEYS.items() if key != "format"}
        return json.dumps({"format": FORMAT, **body}, sort_keys=True, allow_nan=False)


def read_records(path: Path) -> Iterator[tuple[int, EpisodeRecord]]:
    """The records of a file, each with its line's number; RecordError names the first line that is none."""
    try:
        text = path.read_text("utf-8")
    except (OSError, ValueError) as error:
        message = f"{path}: {error}"
        raise RecordError(message) from error
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield number, parse_record(line, f"{path}:{number}")


def parse_record(line: str, place: str) -> EpisodeRecord:
    """The record that a line holds; RecordError says at which `place` it holds none, and why."""
    try:
        body = _checked(json.loads(line, parse_constant=_refuse))
    except ValueError as error:
        message = f"{place}: {error}"
        raise RecordError(message, hint="docs/guides/calibration.md says what a record holds") from error
    return EpisodeRecord(**{_KEYS[key]: value for key, value in body.items() if key != "format"})


def _refuse(word: str) -> None:
    message = f"{word} is no value here"
    raise ValueError(message)


def _checked(body: object) -> dict[str, Any]:
    if not isinstance(body, dict):
        message = f"a record is an object, not {type(body).__name__}"
        raise ValueError(message)  # noqa: TRY004 - parse_record makes one error of all that is wrong in a line
    fields = cast("dict[str, Any]", body)
    if fields.keys() != _KEYS.keys():
        message = f"keys missing or unknown: {', '.join(sorted(fields.keys() ^ _KEYS.keys()))}"
        raise ValueError(message)
    for name, problem in _problems(fields):
        message = f"{name}: {problem}, not {fields[name]!r}"
        raise ValueError(message)
    return fields | {"redLines": tuple(fields["redLines"])}


def _problems(fields: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What is wrong with the values, by key."""
    if fields["format"] != FORMAT or type(fields["format"]) is not int:
        yield "format", f"only {FORMAT} is known"
    yield from ((name, "must be text") for name in (*_WORDS, "model", "reason") if type(fields[name]) is not str)
    yield from ((name, "must not be empty") for name in _WORDS if not fields[name])
    if type(fields["attempt"]) is not int or fields["attempt"] < 1:
        yield "attempt", "must be an integer from 1"
    if fields["seed"] is not None and type(fields["seed"]) is not int:
        yield "seed", "must be an integer or null"
    if fields["status"] not in STATUSES:
        yield "status", f"must be one of {', '.join(STATUSES)}"
    codes: object = fields["redLines"]
    if not isinstance(codes, list) or not all(type(code) is str for code in cast("list[object]", codes)):
        yield "redLines", "must be a list of codes"
    if not _has_zone(fields["startedAt"]):
        yield "startedAt", "must be ISO 8601 with a time zone"
    yield from _reward_problems(fields)


def _reward_problems(fields: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    status, reward = fields["status"], fields["reward"]
    if status not in REWARDED:
        if reward is not None:
            yield "reward", f"must be null with status {status}"
        if not fields["reason"]:
            yield "reason", f"must say why the status is {status}"
    elif type(reward) not in (int, float) or not math.isfinite(reward) or not 0 <= reward <= 1:
        yield "reward", "must be a number in [0, 1]"
    elif status == REJECTED and reward:
        yield "reward", "must be 0 with status rejected"


def _has_zone(text: str) -> bool:
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except (TypeError, ValueError):
        return False
