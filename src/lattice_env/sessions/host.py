"""The environment: takes requests and gives replies, one episode at a time; every host talks to this."""

from __future__ import annotations

import re
import secrets
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from lattice_env.errors import EpisodeError

from .episode import Episode
from .journal import Journal, now
from .machine import ALONE, Machine
from .opening import open_session
from .protocol import PROTOCOL, Close, Code, Request, Reset, Step, parse_line, parse_request

CLOSED = "closed by the client"


@dataclass
class Host:
    """Plays episodes into a folder; nothing that it is asked for makes it raise EpisodeError."""

    episodes: Path
    attempt: int | None = None
    """The number of the attempts, for whoever counts them; without it, they are counted in the folder."""
    machine: Machine = ALONE
    episode: Episode | None = field(default=None, init=False)
    _played: bool = field(default=False, init=False)

    def take_line(self, line: bytes) -> dict[str, Any]:
        """The reply to a line of JSON."""
        try:
            body = parse_line(line)
        except EpisodeError as error:
            text = None if error.code == Code.TOO_LONG else line.decode("utf-8", "replace").strip()
            return self._written(text, _error(error))
        return self.take(body)

    def take(self, body: object, *, building: float | None = None) -> dict[str, Any]:
        """The reply to a request; `building` are seconds of builds to charge instead of those that are measured."""
        try:
            request = parse_request(body)
            reply: dict[str, Any] = {"ok": True, "protocol": PROTOCOL, **self._answer(request, building)}
        except EpisodeError as error:
            reply = _error(error)
        return self._written(body, reply)

    def leave(self, reason: str) -> None:
        """End the episode that is open, if there is one: its record says why."""
        if self.episode:
            self._finish(self.episode, reason)

    def _answer(self, request: Request, building: float | None) -> Mapping[str, Any]:
        match request:
            case Reset():
                return {"op": "reset", **self._reset(request)}
            case Step():
                return {"op": "step", **self._open().step(request, building)}
            case Close():
                if self.episode or not self._played:
                    self._open().abort(CLOSED)
                return {"op": "close"}

    def _open(self) -> Episode:
        if self.episode is None:
            code = Code.EPISODE_OVER if self._played else Code.NO_EPISODE
            raise EpisodeError(code, f"{'the episode is over' if self._played else 'there is no episode'}: reset first")
        return self.episode

    def _reset(self, request: Reset) -> Mapping[str, Any]:
        if self.episode:
            raise EpisodeError(Code.EPISODE_OPEN, f"{self.episode.folder.name} is still open: close it first")
        folder = self._folder(request.task)
        try:
            session = open_session(request.task, folder, self.machine)
            steps = min(request.budget.steps, session.most_steps)
            budget = replace(request.budget, steps=steps)
            episode = Episode(session, request.agent, budget, folder, Journal(folder, now()), self.attempt)
            begun = episode.begin()
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        self.episode, self._played = episode, True
        return begun

    def _folder(self, task: str) -> Path:
        """A new folder, whose name is the episode's: no other process has it."""
        stem = re.sub(r"[^\w.-]+", "-", Path(task).name)[:60].strip(".-") or "task"
        folder = self.episodes / f"{stem}-{secrets.token_hex(4)}"
        try:
            folder.mkdir(parents=True)
        except OSError as error:
            message = f"{folder} cannot be made: {error.strerror}"
            raise EpisodeError(Code.INFRA_ERROR, message) from error
        return folder

    def _written(self, request: object, reply: dict[str, Any]) -> dict[str, Any]:
        """The reply, once it is in the transcript; with it the record, where it is the last."""
        episode = self.episode
        if episode:
            episode.journal.write(request, reply)
            gone = not reply["ok"] and reply["error"]["code"] == Code.WORKSPACE_GONE
            if gone or episode.ending:
                self._finish(episode, reply["error"]["message"] if gone else "")
        return reply

    def _finish(self, episode: Episode, reason: str) -> None:
        episode.abort(reason)
        episode.close()
        self.episode = None


def _error(error: EpisodeError) -> dict[str, Any]:
    message = str(error).removeprefix(f"{error.code}: ")
    return {"ok": False, "protocol": PROTOCOL, "error": {"code": str(error.code), "message": message}}
