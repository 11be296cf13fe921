"""A model behind any OpenAI-compatible endpoint as an agent of episodes: the tools are its functions."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, cast

from lattice_env.actions import Action
from lattice_env.authoring.chat import Call, Endpoint, Message, ask_with_tools

from .loop import Agent, Moves, Told, text_of

_SYSTEM = (
    "You work on one document through the tools you are given, one call at a time. Look before you edit, make the"
    " smallest change that does what is asked, and end with the tool that submits."
)
_AGAIN = "Call one of the tools; submit when you are done."


@dataclass(frozen=True)
class LlmLimits:
    """The caps of one episode."""

    calls: int = 60
    """Questions to the model."""
    silent: int = 3
    """Answers in a row without a call of a tool, before the attempt ends."""
    shown: int = 16_000
    """Characters of an observation that the model is shown."""
    tokens: int = 2048
    """Of one answer."""


def llm(endpoint: Endpoint, limits: LlmLimits | None = None) -> Agent:
    """The agent that asks the model at `endpoint`; EndpointError where that gives no answer."""
    caps = limits or LlmLimits()

    def moves(told: Told) -> Moves:
        tools: list[dict[str, Any]] = told["info"]["tools"]
        messages: list[Message] = [{"role": "system", "content": _SYSTEM}, _user(told)]
        silent = 0
        for _ in range(caps.calls):
            answer = ask_with_tools(endpoint, messages, tools=tools, max_tokens=caps.tokens)
            messages.append(answer.message)
            silent = 0 if answer.calls else silent + 1
            if silent >= caps.silent:
                return
            if not answer.calls:
                messages.append({"role": "user", "content": _AGAIN})
            for call in answer.calls:
                action = _action(call)
                said = action if isinstance(action, str) else text_of((yield action))
                messages.append({"role": "tool", "tool_call_id": call.id, "content": said[: caps.shown]})

    return moves


def _user(told: Told) -> dict[str, Any]:
    """What the task shows, its picture with it."""
    picture = told["obs"]["private"].get("picture")
    text = text_of(told)
    if not picture:
        return {"role": "user", "content": text}
    url = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{picture}"}}
    return {"role": "user", "content": [{"type": "text", "text": text}, url]}


def _action(call: Call) -> Action | str:
    """The action that a call means, or why it means none."""
    try:
        arguments: Any = json.loads(call.arguments or "{}")
    except (ValueError, RecursionError) as error:
        return f"The arguments are no JSON: {error}"
    if not isinstance(arguments, dict) or "type" in arguments:
        return "The arguments must be an object of what the tool takes."
    return Action(call.name, cast("dict[str, Any]", arguments))
