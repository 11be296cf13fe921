"""Episodes over OpenEnv: a server whose sessions each play one episode after another.

`python -m lattice_env.adapters.openenv TASKS --episodes DIR` serves; needs the extra `openenv`. A reset names its task
by number or by name, an action is a tool's name with its arguments, an observation is what the protocol shows.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import BoundedSemaphore
from typing import Any, override

import uvicorn
from fastapi import FastAPI
from openenv.core.env_server.http_server import HTTPEnvServer
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, ConcurrencyConfig, EnvironmentMetadata, Observation, State
from pydantic import Field

from lattice_env.adapters.metrics import add_pool, session_gauges
from lattice_env.adapters.pooled import PooledJudge
from lattice_env.errors import EpisodeError, LatticeError, UsageError
from lattice_env.keys import Choices
from lattice_env.sessions.host import Host
from lattice_env.sessions.machine import Machine
from lattice_env.sessions.opening import task_folders
from lattice_env.verification import VerifierPool
from lattice_env.verification.pool import SECONDS

NAME = "lattice_env"
MOST_SESSIONS, IDLE_SECONDS = 16, 3600.0


class LatticeAction(Action):
    """A call of a tool."""

    type: str = Field(description="the tool's name; the first observation lists them")
    arguments: dict[str, Any] = Field(default_factory=dict, description="what the tool takes")


class LatticeObservation(Observation):
    """What is shown, and with the last one the verdict."""

    text: str = ""
    picture: str = Field("", description="a PNG in base64; empty where there is none")
    tools: list[dict[str, Any]] = Field(default_factory=list[dict[str, Any]], description="at first: the tools")
    public: dict[str, Any] = Field(default_factory=dict[str, Any])
    events: list[dict[str, Any]] = Field(default_factory=list[dict[str, Any]])
    terminated: bool = False
    truncated: bool = False
    verdict: dict[str, Any] | None = None


class LatticeState(State):
    """Where a session stands."""

    task: str = ""


@dataclass(frozen=True)
class Served:
    """What all sessions of one process share."""

    tasks: Mapping[str, Path]
    episodes: Path
    machine: Machine


class LatticeEnvironment(Environment[LatticeAction, LatticeObservation, LatticeState]):
    """One session. Builds wait, so OpenEnv's own hop to a thread is kept."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, served: Served) -> None:
        super().__init__()
        self._served = served
        self._host = Host(served.episodes, machine=served.machine)
        self._state = LatticeState()

    @override
    def reset(
        self, seed: Any = None, episode_id: str | None = None, task: Any = None, budget: Any = None, **unknown: Any
    ) -> LatticeObservation:
        """Begin an episode at a task, by its name or number, or the one that the seed names; an open one is closed."""
        if unknown:
            message = f"reset takes task, budget, seed and episode_id, not {', '.join(unknown)}"
            raise EpisodeError("bad-request", message)
        self.close()
        folder = self._folder(task, seed)
        request = {"op": "reset", "task": str(folder), "agent": {"name": "openenv"}, "budget": budget or {}}
        told = self._told(request)
        self._state = LatticeState(episode_id=episode_id or told["info"]["episode"], task=folder.name)
        return _observed(told)

    @override
    def step(self, action: LatticeAction, timeout_s: float | None = None, **_kwargs: Any) -> LatticeObservation:
        """Do one action; EpisodeError where nothing is done."""
        told = self._told({"op": "step", "action": {**action.arguments, "type": action.type}})
        self._state.step_count += 1
        return _observed(told)

    @property
    @override
    def state(self) -> LatticeState:
        return self._state

    @override
    def close(self) -> None:
        """End the open episode; its record says that the client left. It may be called again."""
        self._host.leave("closed by the client")

    @override
    def get_metadata(self) -> EnvironmentMetadata:
        """What the environment is."""
        text = "Documents with something wrong or hidden, worked on through tools and judged by program."
        return EnvironmentMetadata(name=NAME, description=text, version="0.1.0", author="The Lattice Authors")

    def _folder(self, task: object, seed: object) -> Path:
        names = list(self._served.tasks)
        if task is None:
            choices = Choices("openenv", "reset", str(seed))
            return self._served.tasks[choices.choice(names) if seed is not None else names[0]]
        if isinstance(task, int) and 0 <= task < len(names):
            task = names[task]
        if not isinstance(task, str) or task not in self._served.tasks:
            message = f"no task {task!r}: there are {len(names)}, by number from 0 or by name"
            raise EpisodeError("unknown-task", message)
        return self._served.tasks[task]

    def _told(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        told = self._host.take(request)
        if not told["ok"]:
            raise EpisodeError(told["error"]["code"], told["error"]["message"])
        return told


def _observed(told: Mapping[str, Any]) -> LatticeObservation:
    private, info = told["obs"]["private"], told["info"]
    return LatticeObservation(
        done=told["terminated"] or told["truncated"],
        text=private["text"],
        picture=private.get("picture", ""),
        tools=info.get("tools", []),
        public=told["obs"]["public"],
        verdict=info.get("verdict"),
        **{key: told[key] for key in ("reward", "events", "terminated", "truncated")},
    )


def make_app(tasks: Path, episodes: Path, pool: VerifierPool, *, sessions: int = MOST_SESSIONS) -> FastAPI:
    """An application that serves the tasks of a folder and judges in a pool; UsageError where there is no task."""
    found = {folder.name: folder.resolve() for folder in task_folders(tasks)}
    if not found:
        message = f"{tasks} holds no task"
        raise UsageError(message, hint="give a task folder, or a folder of them")
    app = FastAPI(title="Lattice Env", version="0.1.0")
    machine = Machine(PooledJudge(pool), BoundedSemaphore(pool.workers))
    server = HTTPEnvServer(
        partial(LatticeEnvironment, Served(found, episodes, machine)),
        LatticeAction,
        LatticeObservation,
        concurrency_config=ConcurrencyConfig(max_concurrent_envs=sessions, session_timeout=IDLE_SECONDS),
        env_name=NAME,
        state_cls=LatticeState,
    )
    add_pool(app, pool, lambda: session_gauges("lattice", server))
    server.register_routes(app, mode="simulation")
    return app


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until interrupted; exit codes as those of `lattice-env`."""
    parser = argparse.ArgumentParser(prog="python -m lattice_env.adapters.openenv", description=__doc__)
    parser.add_argument("tasks", type=Path, help="a task folder, or a folder of them")
    parser.add_argument("--episodes", type=Path, required=True, help="the folder for the episodes")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (127.0.0.1)")
    parser.add_argument("--port", type=int, default=8000, help="port to listen on (8000)")
    parser.add_argument("--sessions", type=int, default=MOST_SESSIONS, help=f"sessions at once ({MOST_SESSIONS})")
    parser.add_argument("--verifiers", type=int, help="verdicts at once, and builds (a processor each)")
    parser.add_argument("--verdict-seconds", type=float, default=SECONDS, help=f"most for a verdict ({SECONDS:g})")
    parser.add_argument("--store", type=Path, help="a folder for outcomes of builds, out of every agent's reach")
    options = parser.parse_args(arguments)
    pool = VerifierPool(workers=options.verifiers, seconds=options.verdict_seconds, store=options.store)
    try:
        app = make_app(options.tasks, options.episodes, pool, sessions=options.sessions)
    except LatticeError as error:
        print(f"{error}\n  hint: {error.hint}", file=sys.stderr)  # noqa: T201 - a program
        return error.exit_code
    uvicorn.run(app, host=options.host, port=options.port, log_level="warning", ws_max_size=16 << 20)
    return 0


if __name__ == "__main__":
    sys.exit(main())
