"""Agents that think nothing: one submits at once, one knows the answer, one tries what it has seen at random."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from lattice_env.actions import Action
from lattice_env.keys import Choices

from .loop import Agent, Moves, Told, give_in, text_of, tools_of

MOST_MOVES = 20
_WORD = re.compile(r"[^\s(){}\[\],]{2,60}")
_PATH = re.compile(r"[\w/-]+\.[a-z]{2,4}\b")
_MOST_WORDS = 2000
_ENDS = 12
"""One move of so many ends the attempt."""


def nop(told: Told) -> Moves:
    """Submit the work untouched."""
    yield give_in(tools_of(told))


def oracle(solution: Sequence[Action]) -> Agent:
    """The agent that takes the actions of the solution."""

    def moves(_told: Told) -> Moves:
        for action in solution:  # noqa: UP028 - a list takes no answers
            yield action

    return moves


def keyed_random(seed: int) -> Agent:
    """The agent that calls any tool with anything that it was shown; one seed, one task, one line of moves."""

    def moves(told: Told) -> Moves:
        tools = tools_of(told)
        choices = Choices("agent", "random", str(seed), told["obs"]["public"]["task"])
        ends = {"submit", "defer", "answer"} & tools.keys()
        words = _WORD.findall(text_of(told))
        for _ in range(MOST_MOVES):
            names = sorted(ends if choices.below(_ENDS) == 0 else tools.keys() - ends) or sorted(ends)
            name = choices.choice(names)
            told = yield Action(name, _arguments(tools[name], words, choices))
            words = (words + _WORD.findall(text_of(told)))[-_MOST_WORDS:]
        yield give_in(tools)

    return moves


def _arguments(schema: Mapping[str, Any], words: Sequence[str], choices: Choices) -> dict[str, Any]:
    """Arguments of the right kinds; now and then an optional one is left out."""
    shapes: Mapping[str, Mapping[str, Any]] = schema["properties"]
    taken = [name for name in shapes if name in schema["required"] or choices.below(2)]
    return {name: _value(name, shapes[name], words, choices) for name in taken}


def _value(name: str, shape: Mapping[str, Any], words: Sequence[str], choices: Choices) -> Any:
    if shape["type"] == "integer":
        return 1 + choices.below(40)
    known = shape.get("enum") or (sorted(set(_PATH.findall(" ".join(words)))) if name == "path" else words)
    return choices.choice(known) if known else "x"
