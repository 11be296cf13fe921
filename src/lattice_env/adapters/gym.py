"""Episodes as a Gymnasium environment: text in, text out.

::

    import gymnasium
    env = gymnasium.make("lattice_env.adapters.gym:Lattice-v0", tasks="DIR", episodes="DIR")
    text, info = env.reset(seed=7)
    text, reward, terminated, truncated, info = env.step('{"type": "compile"}')

An action is the JSON of one, as the protocol has it; `info["tools"]` of a reset lists what there is.
"""

from __future__ import annotations

import json
import tempfile
import weakref
from base64 import b64decode
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, override

import gymnasium
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Text

from lattice_env.errors import EpisodeError, UsageError
from lattice_env.sessions.host import Host
from lattice_env.sessions.opening import task_folders
from lattice_env.sessions.protocol import Code, parse_line
from lattice_env.sessions.stopping import GONE

ID = "Lattice-v0"
MOST_TEXT = 1 << 20
"""The longest observation and the longest action, in characters."""
_LETTERS = frozenset(chr(code) for code in (*range(0xD800), *range(0xE000, 0x10000)))
"""Every character of Unicode's first plane: a text with others shows U+FFFD in their place."""
_WRONG = (Code.NOT_JSON, Code.BAD_REQUEST, Code.TOO_LONG)
"""What is wrong with an action as a text: it is answered, and nothing is counted."""


class LatticeEnv(gymnasium.Env[str, str]):
    """One client's environment. A verdict that could not be reached has the reward NaN, and never 0."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 1}  # pyright: ignore[reportIncompatibleVariableOverride]

    def __init__(
        self,
        tasks: str | Path,
        *,
        episodes: str | Path | None = None,
        agent: Mapping[str, Any] | None = None,
        budget: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.tasks = [str(folder) for folder in task_folders(Path(tasks))]
        if not self.tasks:
            message = f"{tasks} holds no task"
            raise UsageError(message, hint="give a task folder, or a folder of them")
        self.observation_space = Text(MOST_TEXT, min_length=0, charset=_LETTERS)
        self.action_space = Text(MOST_TEXT, min_length=0, charset=_LETTERS)
        self.render_mode = render_mode
        self._scratch = None if episodes else tempfile.TemporaryDirectory(prefix="lattice-gym-")
        self._host = Host(Path(episodes or self._scratch.name if self._scratch else episodes or ""))
        self._facts = {"agent": dict(agent or {"name": "gymnasium"}), "budget": dict(budget or {})}
        self._text = ""
        weakref.finalize(self, self._host.leave, GONE)  # dropped, or at exit: the record is closed all the same

    @override
    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Begin an episode at `options["task"]`, or at a task that the seed chooses; an open one is closed."""
        super().reset(seed=seed)
        self._host.leave("reset by the client")
        task = (options or {}).get("task") or self.tasks[int(self.np_random.integers(len(self.tasks)))]
        told = self._host.take({"op": "reset", "task": str(task), **self._facts})
        if not told["ok"]:
            raise EpisodeError(told["error"]["code"], told["error"]["message"])
        return self._shown(told), _info(told)

    @override
    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Do one action."""
        told = self._told(action)
        if not told["ok"]:
            code, message = told["error"]["code"], told["error"]["message"]
            if code in (Code.NO_EPISODE, Code.EPISODE_OVER):
                raise ResetNeeded(message)
            if code not in _WRONG:
                raise EpisodeError(code, message)
            self._text = _plain(f"{code}: {message}")
            return self._text, 0.0, False, False, {"error": code}
        over = told["terminated"] or told["truncated"]
        reward = told["reward"] if told["reward"] is not None else float("nan") if over else 0.0
        return self._shown(told), float(reward), told["terminated"], told["truncated"], _info(told)

    @override
    def render(self) -> str | None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """What was shown last."""
        return self._text if self.render_mode == "ansi" else None

    @override
    def close(self) -> None:
        self._host.leave("closed by the client")
        if self._scratch:
            self._scratch.cleanup()

    def _told(self, action: str) -> Mapping[str, Any]:
        try:
            body = parse_line(action.encode("utf-8", "surrogatepass"))
        except EpisodeError as error:
            return {"ok": False, "error": {"code": error.code, "message": str(error).partition(": ")[2]}}
        return self._host.take({"op": "step", "action": body})

    def _shown(self, told: Mapping[str, Any]) -> str:
        self._text = _plain(told["obs"]["private"]["text"])
        return self._text


def _plain(text: str) -> str:
    """A text of the observations' space."""
    return "".join(letter if letter in _LETTERS else "\ufffd" for letter in text[:MOST_TEXT])


def _info(told: Mapping[str, Any]) -> dict[str, Any]:
    """What is told beside the text, but for times and names, which no seed fixes."""
    info = {key: told["info"][key] for key in ("tools", "verdict") if key in told["info"]}
    picture = told["obs"]["private"].get("picture")
    info |= {"public": told["obs"]["public"], "events": told["events"]}
    return json.loads(json.dumps(info)) | ({"picture": b64decode(picture)} if picture else {})


gymnasium.register(  # pyright: ignore[reportUnknownMemberType] - its own arguments are half typed
    ID, entry_point="lattice_env.adapters.gym:LatticeEnv"
)
