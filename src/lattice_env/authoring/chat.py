"""One question to an OpenAI-compatible endpoint: `POST <base>/chat/completions`, an answer or a typed error."""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, cast

from lattice_env.errors import LatticeError, UsageError

MOST_ANSWER = 4 << 20
"""Bytes of an answer that are read at most."""
_BUSY = 429
_SERVER = 500

Message = Mapping[str, object]
"""One turn of a conversation, as the endpoint takes it: its role, its content, the calls of tools."""


class Failure(StrEnum):
    """Why there was no answer."""

    UNREACHABLE = "unreachable"
    TIMEOUT = "time-out"
    STATUS = "status"
    GARBAGE = "garbage"
    EMPTY = "empty"


class EndpointError(LatticeError):
    """The endpoint gave no answer that can be used; `failure` says in which way."""

    exit_code = 3

    def __init__(self, failure: Failure, message: str, *, hint: str = "", again: bool = False) -> None:
        super().__init__(f"{failure}: {message}", hint=hint)
        self.failure = failure
        self.again = again
        """Whether it may help to ask again."""


@dataclass(frozen=True)
class Endpoint:
    """Where a model is asked, and how patiently."""

    base_url: str
    """Up to `/v1`, without `/chat/completions`."""
    model: str
    key: str = ""
    seconds: float = 120.0
    """For one answer, all of it."""
    tries: int = 3
    """For a time-out, a refused connection, and the statuses 429 and 500 up."""
    pause: float = 1.0
    """Seconds before the second try; each pause is twice the one before."""


@dataclass(frozen=True)
class Call:
    """A tool that the model wants called."""

    id: str
    name: str
    arguments: str
    """JSON, as far as the model kept to it."""


@dataclass(frozen=True)
class Answer:
    """What the model says next: text, calls of tools, or both."""

    text: str
    calls: tuple[Call, ...]
    tokens: int
    """What the question and the answer cost: as the endpoint says, or a token for four characters."""

    @property
    def message(self) -> Message:
        """The answer as a turn of the conversation."""
        calls = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in self.calls
        ]
        turn: dict[str, object] = {"role": "assistant", "content": self.text}
        return {**turn, "tool_calls": calls} if calls else turn


def check_address(base_url: str) -> None:
    """UsageError for an address that is none."""
    if not base_url.startswith(("http://", "https://")):
        message = f"{base_url!r} is no http address"
        raise UsageError(message, hint="give the address up to /v1, as in http://localhost:8000/v1")


def ask(endpoint: Endpoint, messages: Sequence[Message]) -> str:
    """What the model says next. EndpointError where there is nothing; UsageError for an address that is none."""
    answer = ask_with_tools(endpoint, messages)
    if not answer.text.strip():
        raise EndpointError(Failure.EMPTY, "the model said nothing", hint="another model, or more tokens for it")
    return answer.text


def ask_with_tools(endpoint: Endpoint, messages: Sequence[Message], **options: object) -> Answer:
    """What the model says or calls next; `options` are further keys of the request: tools, temperature, max_tokens.

    EndpointError where there is no answer; UsageError for an address that is none.
    """
    check_address(endpoint.base_url)
    body = json.dumps({"model": endpoint.model, "messages": list(messages), **options}).encode()
    for tried in range(1, endpoint.tries + 1):
        try:
            answer = _answer(_post(endpoint, body))
        except EndpointError as error:
            if not error.again or tried == endpoint.tries:
                raise
        else:
            return answer if answer.tokens else replace(answer, tokens=len(body) // 4)
        time.sleep(endpoint.pause * 2 ** (tried - 1))
    message = f"{endpoint.tries} tries are none"
    raise UsageError(message)


def _post(endpoint: Endpoint, body: bytes) -> bytes:
    url = f"{endpoint.base_url.rstrip('/')}/chat/completions"
    headers = {"Content-Type": "application/json"}
    if endpoint.key:
        headers["Authorization"] = f"Bearer {endpoint.key}"
    request = urllib.request.Request(url, body, headers)  # noqa: S310 - the scheme is checked
    try:
        with urllib.request.urlopen(request, timeout=endpoint.seconds) as answer:  # noqa: S310 - and the user named it
            return _read(answer, url, endpoint.seconds)
    except urllib.error.HTTPError as error:
        again = error.code == _BUSY or error.code >= _SERVER
        message = f"{url} answered HTTP {error.code}"
        raise EndpointError(
            Failure.STATUS, message, hint="is the model's name or the key wrong?", again=again
        ) from error
    except (OSError, http.client.HTTPException) as error:
        raise _unanswered(url, error, endpoint.seconds) from error


def _read(answer: http.client.HTTPResponse, url: str, seconds: float) -> bytes:
    """The whole answer; an endpoint that drips is as late as one that is silent."""
    end, data = time.monotonic() + seconds, b""
    while chunk := answer.read1(1 << 16):
        data += chunk
        if len(data) > MOST_ANSWER:
            message = f"{url} answered with more than {MOST_ANSWER} bytes"
            raise EndpointError(Failure.GARBAGE, message)
        if time.monotonic() > end:
            raise TimeoutError
    return data


def _unanswered(url: str, error: Exception, seconds: float) -> EndpointError:
    reason = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(reason, TimeoutError):
        message = f"{url} did not answer within {seconds:g} s"
        return EndpointError(Failure.TIMEOUT, message, hint="a longer --timeout, or a smaller model", again=True)
    if isinstance(reason, http.client.HTTPException) and not isinstance(reason, ConnectionError):
        return EndpointError(Failure.GARBAGE, f"{url} does not speak HTTP: {reason!r}", hint="check --base-url")
    return EndpointError(Failure.UNREACHABLE, f"{url}: {reason}", hint="is the server running there?", again=True)


def _answer(data: bytes) -> Answer:
    """The first choice; no tokens where the endpoint does not count them."""
    try:
        body: Any = json.loads(data)
        message: Any = body["choices"][0]["message"]
        content: object = message.get("content") or ""
        calls = tuple(_call(number, call) for number, call in enumerate(message.get("tool_calls") or ()))
        usage: Any = body.get("usage") or {}
        total: object = usage.get("total_tokens")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        shown = data[:80].decode("utf-8", "replace")
        told = f"the answer is no chat completion: {shown!r}"
        raise EndpointError(Failure.GARBAGE, told, hint="check --base-url") from error
    if not isinstance(content, str):
        told = f"the answer's content is {type(cast('Any', content)).__name__}, not text"
        raise EndpointError(Failure.GARBAGE, told)
    return Answer(content, calls, total if isinstance(total, int) and total > 0 else 0)


def _call(number: int, call: Any) -> Call:
    function = call["function"]
    return Call(str(call.get("id") or number), str(function["name"]), str(function.get("arguments") or "{}"))
