"""The policy `llm`: a model behind an OpenAI-compatible endpoint, with four tools and no shell, bounded throughout."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lattice_env.authoring import Answer, Endpoint, EndpointError, ask_with_tools, check_address
from lattice_env.verifier.latex import decode

from .edits import Edit, lines_of
from .guard import SOURCES
from .policy import GiveUp, Situation
from .project import sha256

KEY = "LATTICE_API_KEY"
"""The environment variable that holds the endpoint's key, if it wants one."""

MOST_SHOWN, MOST_FOUND = 80, 20
"""Lines that one `read` shows, and places that one `search` finds."""

_SYSTEM = """\
You repair a LaTeX paper that does not build. Find the cause of the error you are given and make the smallest edit \
that removes it. Use the tools: read, search, then replace_lines once, or give_up. Never delete, hide or comment out \
text, never define a misspelt name instead of correcting it, never touch the document class or the document's ends, \
and never make the paper say something else.
"""


def _tool(name: str, what: str, /, **properties: tuple[str, str]) -> dict[str, object]:
    shapes = {key: {"type": kind, "description": meaning} for key, (kind, meaning) in properties.items()}
    parameters = {"type": "object", "properties": shapes, "required": list(shapes)}
    return {"type": "function", "function": {"name": name, "description": what, "parameters": parameters}}


TOOLS = (
    _tool(
        "read",
        f"Lines of a source, at most {MOST_SHOWN}.",
        file=("string", "its path"),
        first=("integer", "first line"),
        last=("integer", "last line"),
    ),
    _tool("search", "Where a text stands in the sources.", text=("string", "the text")),
    _tool(
        "replace_lines",
        "Replace lines of a source by others.",
        file=("string", "its path"),
        first=("integer", "first line to replace"),
        last=("integer", "last line to replace"),
        text=("string", "the new lines"),
    ),
    _tool("give_up", "End without an edit.", reason=("string", "why")),
)


@dataclass(frozen=True)
class LlmLimits:
    """The caps of one run of the policy, over all failures."""

    calls: int = 40
    calls_each: int = 12
    """Calls for one failure."""
    tokens: int = 200_000
    seconds: float = 600.0
    call_seconds: float = 120.0
    answer_tokens: int = 800


@dataclass
class Llm:
    """The policy, and what it has spent."""

    endpoint: Endpoint
    limits: LlmLimits
    calls: int = 0
    tokens: int = 0
    started: float = field(default_factory=time.monotonic)

    def __call__(self, situation: Situation) -> Edit | GiveUp:
        """The edit that the model makes of this situation, or why there is none."""
        messages: list[dict[str, object]] = [
            {"role": "system", "content": _SYSTEM},
            {"role": "user", "content": _task(situation)},
        ]
        for _ in range(self.limits.calls_each):
            if over := self._over():
                return GiveUp(over)
            try:
                answer = self._ask(messages)
            except EndpointError as error:
                return GiveUp(f"the endpoint failed: {error}")
            messages.append({**answer.message})
            done = _act(situation, answer, messages)
            if done is not None:
                return done
        return GiveUp(f"no edit after {self.limits.calls_each} calls")

    def spent(self) -> Mapping[str, float]:
        """Calls and tokens so far."""
        return {"calls": self.calls, "tokens": self.tokens}

    def _over(self) -> str:
        if self.calls >= self.limits.calls:
            return f"the cap of {self.limits.calls} calls is reached"
        if self.tokens >= self.limits.tokens:
            return f"the cap of {self.limits.tokens} tokens is reached"
        if time.monotonic() - self.started > self.limits.seconds:
            return f"the policy's {self.limits.seconds:g} seconds are over"
        return ""

    def _ask(self, messages: Sequence[Mapping[str, object]]) -> Answer:
        """What the model does next. Raises EndpointError after two tries, each of which counts as a call."""
        options = {"tools": TOOLS, "temperature": 0, "max_tokens": self.limits.answer_tokens}
        for last in (False, True):
            self.calls += 1
            try:
                answer = ask_with_tools(self.endpoint, messages, **options)
            except EndpointError:
                if last or self._over():
                    raise
                continue
            self.tokens += answer.tokens
            return answer
        raise AssertionError


def llm(base_url: str, model: str, *, limits: LlmLimits | None = None) -> Llm:
    """The policy that asks this model; UsageError for an address that is none."""
    check_address(base_url)
    limits = limits or LlmLimits()
    key = os.environ.get(KEY, "none")
    return Llm(Endpoint(base_url, model, key, seconds=limits.call_seconds, tries=1), limits)


def _task(situation: Situation) -> str:
    failure = situation.failure
    paths = [path for path in sorted(situation.files) if path.endswith(SOURCES)]
    parts = [f"The root is {situation.root}. The sources: {', '.join(paths[:200])}.", f"The error: {failure}"]
    if failure.file in situation.files and failure.line:
        parts.append(_shown(situation, failure.file, failure.line - 8, failure.line + 8))
    parts += [
        f"This edit was refused: {edit.file}:{edit.first}: {refusal.reason}" for edit, refusal in situation.refused
    ]
    return "\n\n".join(parts)


def _shown(situation: Situation, file: str, first: int, last: int) -> str:
    lines = lines_of(situation.files[file])
    first, last = max(first, 1), min(last, len(lines), max(first, 1) + MOST_SHOWN - 1)
    return "\n".join(f"{number:5} {lines[number - 1]}" for number in range(first, last + 1)) or "no such lines"


def _act(situation: Situation, answer: Answer, messages: list[dict[str, object]]) -> Edit | GiveUp | None:
    """Do what the model asks for; the edit or the end, or None where it has only looked."""
    if not answer.calls:
        messages.append({"role": "user", "content": "Use one of the tools: read, search, replace_lines or give_up."})
        return None
    for call in answer.calls:
        said = _call(situation, call.name, call.arguments)
        if not isinstance(said, str):
            return said
        messages.append({"role": "tool", "tool_call_id": call.id, "content": said})
    return None


def _call(situation: Situation, name: str, arguments: str) -> Edit | GiveUp | str:
    try:
        given = json.loads(arguments)
        match name:
            case "read":
                return _read(situation, str(given["file"]), int(given["first"]), int(given["last"]))
            case "search":
                return _search(situation, str(given["text"]))
            case "replace_lines":
                return _edit(situation, str(given["file"]), int(given["first"]), int(given["last"]), str(given["text"]))
            case "give_up":
                return GiveUp(f"the model gave up: {str(given.get('reason', ''))[:300]}")
            case _:
                return f"there is no tool {name}"
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        return f"the arguments of {name} cannot be read: {error}"


def _read(situation: Situation, file: str, first: int, last: int) -> str:
    if file not in situation.files or not file.endswith(SOURCES):
        return f"{file} is not a source of the project"
    return _shown(situation, file, first, last)


def _search(situation: Situation, text: str) -> str:
    if not text:
        return "an empty text stands everywhere"
    found = [
        f"{path}:{number}: {line.strip()[:200]}"
        for path in sorted(situation.files)
        if path.endswith(SOURCES)
        for number, line in enumerate(decode(situation.files[path]).split("\n"), 1)
        if re.search(re.escape(text), line)
    ]
    more = f"\n{len(found) - MOST_FOUND} more" if len(found) > MOST_FOUND else ""
    return "\n".join(found[:MOST_FOUND]) + more if found else "nowhere"


def _edit(situation: Situation, file: str, first: int, last: int, text: str) -> Edit:
    data = situation.files.get(file, b"")
    new = text.removesuffix("\n")
    return Edit(file, first, last, new, sha256(data), "the model's edit", drop=not new and last > first)
