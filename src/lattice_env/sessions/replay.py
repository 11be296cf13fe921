"""A transcript played again: every request once more, and every reply compared with the one that was given."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from lattice_env.verifier.verdict import INFRA_ERROR

from .host import Host
from .journal import read_transcript

COMPARED = ("ok", "op", "obs", "reward", "terminated", "truncated", "events")
"""What has to be the same of a reply; beside these the verdict, and of an error its code."""
MOST_SHOWN = 200


@dataclass(frozen=True)
class Difference:
    """The first reply that is not what it was."""

    exchange: int
    """Its number in the transcript, from 1."""
    place: str
    """Where in the reply, as in `obs.private.text`."""
    before: str
    after: str

    def __str__(self) -> str:
        return f"reply {self.exchange} differs in {self.place}: was {self.before}, is {self.after}"


@dataclass(frozen=True)
class Replayed:
    """What a replay found."""

    exchanges: int
    """How many were played."""
    difference: Difference | None


def replay(transcript: Path, *, task: str = "", say: Callable[[str], None] = lambda _: None) -> Replayed:
    """Play a transcript again in a scratch folder, up to the first difference; `task` is where a moved task lies."""
    exchanges = read_transcript(transcript)
    with tempfile.TemporaryDirectory(prefix="lattice-replay-") as scratch:
        host = Host(Path(scratch))
        try:
            for number, exchange in enumerate(exchanges, 1):
                if exchange["request"] is None:
                    continue
                say(f"[{number}/{len(exchanges)}] {_name(exchange['request'])}")
                reply = _again(host, _moved(exchange["request"], task), exchange["reply"])
                if found := _difference(number, exchange["reply"], reply):
                    return Replayed(number, found)
        finally:
            host.leave("replayed")
    return Replayed(len(exchanges), None)


def _name(request: Any) -> str:
    fields = _fields(request)
    return str(_fields(fields.get("action")).get("type", fields.get("op", "a line that is no request")))[:40]


def _moved(request: Any, task: str) -> Any:
    fields = _fields(request)
    return {**fields, "task": task} if task and fields.get("op") == "reset" else request


def _fields(value: Any) -> Mapping[str, Any]:
    """An object of JSON; of anything else, nothing."""
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}


def _again(host: Host, request: Any, before: Mapping[str, Any]) -> Mapping[str, Any]:
    if isinstance(request, str):  # a line that was no JSON
        return host.take_line(request.encode("utf-8", "surrogatepass"))
    building = before.get("info", {}).get("timings", {}).get("building")
    return host.take(request, building=building)


def _difference(number: int, before: Mapping[str, Any], after: Mapping[str, Any]) -> Difference | None:
    old, new = ({**_kept(reply)} for reply in (before, after))
    if (why := _hindrance(after)) and not _hindrance(before):
        return Difference(number, "what could be done", "done", why)
    for place, was, now in _unequal("", old, new):
        return Difference(number, place, *_shown(was, now))
    return None


def _hindrance(reply: Mapping[str, Any]) -> str:
    """Why nothing was done or judged; empty where it was. It says more than the fields that differ for it."""
    if not reply["ok"]:
        return f"{reply['error']['code']}: {reply['error']['message']}"
    verdict = _fields(_fields(reply.get("info")).get("verdict"))
    return f"infra_error: {verdict['reason']}" if verdict.get("status") == INFRA_ERROR else ""


def _shown(was: Any, now: Any) -> tuple[str, str]:
    """Two values, short; of two texts what stands around the first character that differs."""
    if not isinstance(was, str) or not isinstance(now, str):
        return repr(was)[:MOST_SHOWN], repr(now)[:MOST_SHOWN]
    same = next((place for place, (old, new) in enumerate(zip(was, now, strict=False)) if old != new), None)
    start = max(0, (min(len(was), len(now)) if same is None else same) - 40)
    return repr(was[start : start + MOST_SHOWN]), repr(now[start : start + MOST_SHOWN])


def _kept(reply: Mapping[str, Any]) -> Mapping[str, Any]:
    kept = {key: reply[key] for key in COMPARED if key in reply}
    verdict = reply.get("info", {}).get("verdict")
    return kept | {"verdict": verdict, "code": reply.get("error", {}).get("code")}


def _unequal(place: str, was: Any, now: Any) -> Iterator[tuple[str, Any, Any]]:
    """Every place at which two values differ, with what stands there; the smallest that can be named."""
    old, new = _fields(was), _fields(now)
    if old and new:
        for key in sorted({*old, *new}):
            yield from _unequal(f"{place}.{key}".strip("."), old.get(key), new.get(key))
    elif was != now:
        yield place, was, now
