"""A client that imports in a tenth of a second: one WebSocket, plain data, no OpenEnv.

For trainers that start many workers; OpenEnv's own client takes ten seconds to import.
"""

from __future__ import annotations

import contextlib
import json
import re
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from lattice_env.errors import EpisodeError, LatticeError

_CODE = re.compile(r"[a-z]+(-[a-z]+)+")


@dataclass(frozen=True)
class Reply:
    """What the server answered: an observation's fields, the reward and whether the episode is over."""

    observation: Mapping[str, Any]
    reward: float | None
    done: bool

    @property
    def picture(self) -> bytes:
        """The PNG that was shown."""
        return b64decode(self.observation["image_base64"])


@dataclass
class LightClient:
    """One session, open from `with` to its end."""

    base_url: str
    timeout: float = 60.0
    """Seconds to wait for an answer."""
    _socket: ClientConnection | None = field(default=None, repr=False)

    def __enter__(self) -> Self:
        url = self.base_url.replace("http", "ws", 1) if self.base_url.startswith("http") else self.base_url
        self._socket = connect(f"{url.rstrip('/')}/ws", max_size=None, proxy=None, open_timeout=self.timeout)
        return self

    def __exit__(self, *_error: object) -> None:
        if self._socket is not None:
            self._socket.close()

    def reset(self, *, split: str | None = None, index: int | None = None, seed: int | None = None) -> Reply:
        """Begin an episode; EpisodeError where the server refuses."""
        asked = {"split": split, "index": index, "seed": seed}
        return self._ask("reset", {name: value for name, value in asked.items() if value is not None})

    def step(self, latex: str) -> Reply:
        """Answer; the reply has the reward."""
        return self._ask("step", {"latex": latex})

    def _ask(self, kind: str, data: Mapping[str, Any]) -> Reply:
        reply = json.loads(self.exchange(json.dumps({"type": kind, "data": data})))
        if reply["type"] == "error":
            told = reply["data"]
            code, _, text = told["message"].partition(": ")
            if not _CODE.fullmatch(code):
                code, text = told["code"].lower().replace("_", "-"), told["message"]
            raise EpisodeError(code, text)
        body = reply["data"]
        return Reply(body["observation"], body["reward"], body["done"])

    def exchange(self, frame: str) -> str | bytes:
        """The server's answer to a frame that is sent as it is."""
        if self._socket is None:
            raise LatticeError("the client is not connected", hint="use it in a with statement")
        # A server that is full says so and closes: what it said waits to be read.
        with contextlib.suppress(ConnectionClosed):
            self._socket.send(frame)
        return self._socket.recv(self.timeout)
