"""The loop that every agent is played in: an agent is a generator of actions, which is sent what each is answered."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any

from lattice_env.actions import Action
from lattice_env.errors import LatticeError
from lattice_env.sessions.host import Host

type Told = Mapping[str, Any]
"""A reply of the protocol."""
type Moves = Generator[Action, Told]
type Agent = Callable[[Told], Moves]
"""(the reply to reset) → the agent's moves; where they end, it submits what there is."""


def play(host: Host, request: Mapping[str, Any], agent: Callable[[Host], Agent]) -> Told:
    """The last reply of one episode: the one with the verdict, or the error that kept it from one.

    `agent` is made once the task is open, since the oracle asks the session. The record is closed whatever comes.
    """
    try:
        told = host.take(request)
        if not told["ok"]:
            return told
        moves = agent(host)(told)
        action = next(moves, None)
        while True:
            action = action or give_in(tools_of(told))
            told = host.take({"op": "step", "action": {"type": action.name, **action.arguments}})
            if not told["ok"]:
                host.leave(told["error"]["message"])
                return told
            if told["terminated"] or told["truncated"]:
                return told
            action = _next(moves, told)
    except LatticeError as error:
        host.leave(f"the agent failed: {error}")
        raise
    finally:
        host.leave("the agent was stopped")


def _next(moves: Moves, told: Told) -> Action | None:
    try:
        return moves.send(told)
    except StopIteration:
        return None


def tools_of(told: Told) -> Mapping[str, Mapping[str, Any]]:
    """The tools by name, each with the JSON schema of its arguments, as the reply to reset tells them."""
    functions: Sequence[Mapping[str, Any]] = [tool["function"] for tool in told["info"].get("tools", ())]
    return {function["name"]: function["parameters"] for function in functions}


def text_of(told: Told) -> str:
    """What an action was answered."""
    text: str = told["obs"]["private"]["text"]
    return text


def refused(told: Told) -> bool:
    """Whether an action was not carried out."""
    return bool(told["obs"]["public"].get("refused"))


def give_in(tools: Mapping[str, object]) -> Action:
    """The action that ends an attempt with what there is."""
    return Action("answer", {"latex": ""}) if "answer" in tools else Action("submit")
