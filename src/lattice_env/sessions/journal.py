"""What an episode leaves: its transcript as it goes on; at its end a trajectory, and a line among all episodes."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from lattice_env.errors import RecordError
from lattice_env.verifier.store import write_whole

from .record import EpisodeRecord
from .trajectory import trajectory

TRANSCRIPT, TRAJECTORY, EPISODES = "transcript.jsonl", "trajectory.json", "episodes.jsonl"


@dataclass
class Journal:
    """The records of one episode, in its folder."""

    folder: Path
    started_at: str
    exchanges: list[Mapping[str, Any]] = field(default_factory=list[Mapping[str, Any]])
    """Every request that was understood to be one, with its reply and its time."""

    def __post_init__(self) -> None:
        self._transcript = (self.folder / TRANSCRIPT).open("a", encoding="utf-8")
        self._recorded: EpisodeRecord | None = None

    def write(self, request: object, reply: Mapping[str, Any]) -> None:
        """Add an exchange; `request` is null where the line was too long to be kept."""
        exchange = {"at": now(), "request": request, "reply": reply}
        self.exchanges.append(exchange)
        self._transcript.write(json.dumps(exchange) + "\n")
        self._transcript.flush()

    def close(self, record: EpisodeRecord, attempt: int | None) -> None:
        """Write the episode's line beside its folder, and the trajectory; what is written already is left alone."""
        self._transcript.close()
        self._recorded = self._recorded or append_record(self.folder.parent / EPISODES, record, attempt)
        if self.folder.is_dir() and self.exchanges:
            body = trajectory(self._recorded, self.exchanges)
            write_whole(self.folder / TRAJECTORY, json.dumps(body, indent=1) + "\n")


def now() -> str:
    """The time, ISO 8601 with its zone."""
    return datetime.now(UTC).isoformat()


def append_record(path: Path, record: EpisodeRecord, attempt: int | None) -> EpisodeRecord:
    """Add a line, and return it; without an `attempt`, it is numbered behind this agent's others at this task.

    Several processes may do so at once: each holds the file for as long as it takes.
    """
    path.parent.mkdir(parents=True, exist_ok=True)  # somebody may have removed it under the episode
    with path.open("a+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        others = [line for line in file if record.task_id in line]
        number = attempt or 1 + sum(_same_policy(line, record) for line in others)
        file.seek(0, os.SEEK_END)
        numbered = replace(record, attempt=number)
        file.write(numbered.to_json() + "\n")
    return numbered


def _same_policy(line: str, record: EpisodeRecord) -> bool:
    try:
        other = json.loads(line)
        return (other["taskId"], other["agent"], other["model"]) == (record.task_id, record.agent, record.model)
    except (ValueError, LookupError, TypeError):
        return False


def read_transcript(path: Path) -> list[Mapping[str, Any]]:
    """The exchanges of a transcript; RecordError where it is none."""
    try:
        found = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        for exchange in found:
            _ = exchange["request"], exchange["reply"]["ok"]
    except (OSError, ValueError, LookupError, TypeError) as error:
        message = f"{path}: no transcript: {error}"
        raise RecordError(message, hint="an episode's folder holds its transcript.jsonl") from error
    if not found:
        message = f"{path}: an empty transcript"
        raise RecordError(message)
    return found
