"""What an agent can do, told as tools, and what it is answered: the words that every session shares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

SOLVED, PARTIAL, UNSOLVED = "solved", "partial", "unsolved"
CLAIMS = (SOLVED, PARTIAL, UNSOLVED)
"""What an agent may say of its work when it submits."""


@dataclass(frozen=True)
class Parameter:
    """One argument of a tool."""

    kind: type
    """`str` or `int`."""
    meaning: str
    optional: bool = False
    choices: tuple[str, ...] = ()
    """The texts that are taken; any where there are none."""


@dataclass(frozen=True)
class Tool:
    """A tool as an agent is told of it."""

    name: str
    summary: str
    parameters: Mapping[str, Parameter]

    def schema(self) -> dict[str, Any]:
        """The JSON schema of its arguments."""
        shapes: dict[str, Any] = {}
        for name, parameter in self.parameters.items():
            shape: dict[str, Any] = {"type": "integer" if parameter.kind is int else "string"}
            shape["description"] = parameter.meaning
            shapes[name] = shape | ({"enum": list(parameter.choices)} if parameter.choices else {})
        needed = [name for name, parameter in self.parameters.items() if not parameter.optional]
        return {"type": "object", "properties": shapes, "required": needed, "additionalProperties": False}

    def definition(self) -> dict[str, Any]:
        """The tool in the form of OpenAI's function calling."""
        function = {"name": self.name, "description": self.summary, "parameters": self.schema()}
        return {"type": "function", "function": function}


@dataclass(frozen=True)
class Action:
    """A call of a tool."""

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True)
class Reply:
    """What a tool answers; a refusal says why, and changed nothing."""

    text: str
    refused: bool = False
    picture: bytes = b""
    """A PNG that belongs to the text; empty where there is none."""
    changed: tuple[str, ...] = ()
    """The files that were changed."""
    ended: bool = False
    """Whether the attempt ends with this."""
    building: float = 0.0
    """Seconds of builds that were run for it."""


class RefusedError(Exception):
    """A call that is not carried out; the message is what the agent is told."""


def refusal(error: RefusedError) -> Reply:
    """What an agent is answered that called for what is not done."""
    return Reply(f"Refused: {error}", refused=True)


DEFER = Tool("defer", "Give up: the attempt ends as it stands.", {"reason": Parameter(str, "why")})
SUBMIT = Tool(
    "submit",
    "End the attempt: the work as it stands is judged.",
    {"claim": Parameter(str, "what you think of your work", optional=True, choices=CLAIMS)},
)


def check_call(tools: Mapping[str, Tool], name: str, arguments: object) -> Mapping[str, Any]:
    """The arguments of a call; RefusedError unless there is such a tool, and they are what it takes and no more."""
    tool = tools.get(name)
    if tool is None:
        message = f"there is no tool {name[:40]!r}: there are {', '.join(tools)}."
        raise RefusedError(message)
    if not isinstance(arguments, Mapping):
        message = f"the arguments of {name} must be an object of JSON."
        raise RefusedError(message)
    arguments = cast("Mapping[str, Any]", arguments)
    needed = {word for word, parameter in tool.parameters.items() if not parameter.optional}
    if not needed <= arguments.keys() <= tool.parameters.keys():
        takes = ", ".join(tool.parameters) or "nothing"
        message = f"{name} takes {takes}, not {', '.join(map(str, arguments))[:200] or 'nothing'}."
        raise RefusedError(message)
    for word, value in arguments.items():
        _check_value(word, value, tool.parameters[word])
    return arguments


def _check_value(word: str, value: object, parameter: Parameter) -> None:
    if type(value) is not parameter.kind:
        wanted = "a whole number" if parameter.kind is int else "text"
        message = f"{word} must be {wanted}, not {str(value)[:40]!r}."
        raise RefusedError(message)
    if parameter.choices and value not in parameter.choices:
        message = f"{word} must be one of {', '.join(parameter.choices)}, not {str(value)[:40]!r}."
        raise RefusedError(message)
