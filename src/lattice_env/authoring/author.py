"""Section templates by a model: the validator's findings go back to it, and only what has none is written."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from lattice_env.errors import UsageError
from lattice_env.seeds.documents.checks import check_text
from lattice_env.seeds.documents.genre import HEADER, POOLS, Genre
from lattice_env.seeds.documents.templates import Problem

from .chat import Endpoint, Message, ask
from .prompt import first_messages, read_reply, review

ROUNDS = 4
"""How often a model may try one section."""


@dataclass(frozen=True)
class Order:
    """What is to be written."""

    genre: Genre
    kind: str
    count: int
    pool: str = POOLS[0]
    rounds: int = ROUNDS


@dataclass(frozen=True)
class Attempt:
    """What became of one section: the file, or None and what was still wrong with the last text."""

    file: Path | None
    rounds: int
    problems: tuple[Problem, ...] = ()


def author(
    order: Order, endpoint: Endpoint, out: Path, report: Callable[[Attempt], None] = lambda _: None
) -> list[Attempt]:
    """Write up to `count` templates to `<out>/<pool>/<kind>/`; each is named for its text.

    What was written stays if a later question fails with EndpointError. Raises UsageError for a kind
    that the genre has not.
    """
    check_order(order)
    folder = out / order.pool / order.kind
    attempts: list[Attempt] = []
    known = [*_known(order.genre, order.kind), *_texts(folder)]
    for _ in range(order.count):
        attempt, text = _write_one(order, endpoint, folder, known)
        attempts.append(attempt)
        known += [text] if attempt.file else []
        report(attempt)
    return attempts


def check_order(order: Order) -> None:
    """UsageError for an order that cannot be met."""
    kinds = [*(section.kind for section in order.genre.sections), HEADER]
    for name, value, choices in (("kind", order.kind, kinds), ("pool", order.pool, POOLS)):
        if value not in choices:
            message = f"the genre {order.genre.name} has no {name} {value!r}"
            raise UsageError(message, hint=f"known: {', '.join(choices)}")
    for name, number in (("count", order.count), ("rounds", order.rounds)):
        if number < 1:
            message = f"{name} must be at least 1, not {number}"
            raise UsageError(message)


def _write_one(order: Order, endpoint: Endpoint, folder: Path, known: Sequence[str]) -> tuple[Attempt, str]:
    messages: list[Message] = list(first_messages(order.genre, order.kind, known))
    problems: list[Problem] = []
    for number in range(1, order.rounds + 1):
        reply = ask(endpoint, messages)
        text = read_reply(reply)
        problems = [*check_text(order.genre, text, order.kind, order.pool), *_repetitions(text, known)]
        if not problems:
            return Attempt(_save(folder, order.kind, text), number), text
        messages += [{"role": "assistant", "content": reply}, {"role": "user", "content": review(problems)}]
    return Attempt(None, order.rounds, tuple(problems)), ""


def _repetitions(text: str, known: Sequence[str]) -> Iterator[Problem]:
    """A section that is there already says nothing new, whatever its white space."""
    if any(_plain(text) == _plain(other) for other in known):
        yield Problem(1, 1, "the pool has this very section", "write about something else")


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip().lower()


def _known(genre: Genre, kind: str) -> list[str]:
    return [template.text for template in genre.templates.get(kind, ())]


def _texts(folder: Path) -> list[str]:
    return [path.read_text("utf-8") for path in sorted(folder.glob("*.txt"))]


def _save(folder: Path, kind: str, text: str) -> Path:
    """The template's file, put there whole; the same text always has the same name."""
    path = folder / f"{kind}-{hashlib.sha256(text.encode()).hexdigest()[:8]}.txt"
    part = path.with_suffix(".part")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        part.write_text(text, "ascii")
        part.replace(path)
    except OSError as error:
        message = f"{path}: cannot be written: {error.strerror}"
        raise UsageError(message) from error
    return path
