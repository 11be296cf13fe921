"""The typed client: asynchronous, and synchronous by `.sync()`."""

from __future__ import annotations

import asyncio
import re
from typing import Any, override
from urllib.parse import urlsplit, urlunsplit

import httpx
from openenv.core.client_types import StepResult
from openenv.core.env_client import EnvClient

from lattice_env.errors import EpisodeError

from .environment import NAME
from .models import LatexOCRAction, LatexOCRObservation, LatexOCRState

NOT_IMPLEMENTED = 501
_TYPED = re.compile(r"Server error: (?P<code>[a-z]+(?:-[a-z]+)+): (?P<text>.*) \(code: \w+\)\Z", re.DOTALL)


class LatexOCREnv(EnvClient[LatexOCRAction, LatexOCRObservation, LatexOCRState]):
    """A session on a server; what the server refuses is an EpisodeError with its code."""

    @override
    def _step_payload(self, action: LatexOCRAction) -> dict[str, Any]:
        return {"latex": action.latex}

    @override
    def _parse_result(self, payload: dict[str, Any]) -> StepResult[LatexOCRObservation]:
        reward, done = payload["reward"], payload["done"]
        observation = LatexOCRObservation(**payload["observation"], reward=reward, done=done)
        return StepResult(observation=observation, reward=reward, done=done, metadata=observation.metadata)

    @override
    def _parse_state(self, payload: dict[str, Any]) -> LatexOCRState:
        return LatexOCRState(**payload)

    @override
    async def _send_and_receive(self, message: dict[str, Any]) -> dict[str, Any]:
        try:
            return await super()._send_and_receive(message)
        except RuntimeError as error:
            typed = _TYPED.match(str(error))
            if typed is None:
                raise
            raise EpisodeError(typed["code"], typed["text"]) from error

    def list_splits(self) -> Any:
        """The splits, each with its name and type."""
        return self._dispatch(lambda: self._ask("splits", None, None))

    def num_tasks(self, split: str) -> Any:
        """The rows of a split; -1 where a stream cannot tell."""
        return self._dispatch(lambda: self._ask("num_tasks", {"split": split}, "num_tasks"))

    def list_tasks(self, split: str) -> Any:
        """All tasks of a split; EpisodeError `not-implemented` in stream mode."""
        return self._dispatch(lambda: self._ask("tasks", {"split": split}, "tasks"))

    def get_task(self, split: str, index: int) -> Any:
        """One task."""
        return self._dispatch(lambda: self._ask("task", {"split": split, "index": index}, "task"))

    def get_task_range(self, split: str, start: int | None = None, stop: int | None = None) -> Any:
        """The tasks of a slice."""
        body = {"split": split, "start": start, "stop": stop}
        return self._dispatch(lambda: self._ask("task_range", body, "tasks"))

    async def _ask(self, route: str, body: dict[str, Any] | None, key: str | None) -> Any:
        """What a route of the task API answers; it is asked in a thread, for it is asked rarely."""
        address = urlsplit(str(self._base_url))
        scheme = {"ws": "http", "wss": "https"}.get(address.scheme, address.scheme)
        url = urlunsplit((scheme, address.netloc, f"{address.path.rstrip('/')}/{NAME}/{route}", "", ""))
        reply = await asyncio.to_thread(_fetch, url, body)
        return reply if key is None else reply[key]


def _fetch(url: str, body: dict[str, Any] | None) -> Any:
    with httpx.Client(timeout=60, trust_env=False) as http:
        reply = http.get(url) if body is None else http.post(url, json=body)
    if reply.is_success:
        return reply.json()
    is_json = reply.headers.get("content-type", "").startswith("application/json")
    told: dict[str, Any] = reply.json() if is_json else {"detail": reply.text}
    code = str(told.get("code", "not-implemented" if reply.status_code == NOT_IMPLEMENTED else "refused"))
    raise EpisodeError(code, str(told["detail"]).removeprefix(f"{code}: "))
