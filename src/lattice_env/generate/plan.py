"""What is to be made: units, what makes them, and how many are wanted."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace

from lattice_env.errors import UsageError
from lattice_env.packages import Pin

from .maker import Maker, Unit


@dataclass(frozen=True)
class Shard:
    """One of `count` parts of a plan, counted from 1; neighbouring units are in different parts."""

    number: int
    count: int
    units: int
    """How many units the whole plan has."""

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"

    def place(self, position: int) -> int:
        """Where in the whole plan the unit at a position of this part stands."""
        return self.number - 1 + position * self.count


def read_shard(text: str) -> tuple[int, int]:
    """(number, count) of `3/8`; UsageError for what is no part of a whole."""
    number, slash, count = text.partition("/")
    if slash and number.isascii() and number.isdigit() and count.isascii() and count.isdigit():
        found = int(number), int(count)
        if 1 <= found[0] <= found[1]:
            return found
    message = f"--shard must be like 3/8, from 1/8 to 8/8, not {text!r}"
    raise UsageError(message)


@dataclass(frozen=True)
class Plan:
    """All that decides what a run of `generate` makes."""

    units: tuple[Unit, ...]
    maker: Maker
    limit: int | None
    """Most tasks to admit; None for all."""
    digest: str
    """SHA-256 over everything that the output depends on: two runs with one digest make the same bytes."""
    pin: Pin | None = None
    """The toolchain that the tasks are for; None for any."""
    shard: Shard | None = None
    """Which part of a plan this is; None for all of it."""

    @property
    def identity(self) -> str:
        """The digest of what one run makes: the plan's, or that of its part."""
        return _sha256(self.digest, str(self.shard)) if self.shard else self.digest

    def first(self, count: int) -> Plan:
        """The plan of the first `count` units alone; UsageError for less than one."""
        if count < 1:
            message = f"--units must be at least 1, not {count}"
            raise UsageError(message)
        return replace(self, units=self.units[:count], digest=_sha256(self.digest, f"first {count}"))

    def part(self, number: int, count: int) -> Plan:
        """The `number`-th of `count` parts: every `count`-th unit. Merged, they are what the plan makes.

        A part with a limit goes on until it has admitted as many itself, since it knows of no other. Not for plans of
        mining, whose units know of each other's edits.
        """
        shard = Shard(number, count, len(self.units))
        return replace(self, units=self.units[number - 1 :: count], shard=shard)


def _sha256(*words: str) -> str:
    return hashlib.sha256("\0".join(words).encode()).hexdigest()


def check_limit(limit: int | None) -> None:
    """UsageError for a limit that lets no task through."""
    if limit is not None and limit < 1:
        message = f"--limit must be at least 1, not {limit}"
        raise UsageError(message)


def check_names(kind: str, names: Iterable[str], known: Iterable[str]) -> None:
    """UsageError for the first of `names` that is not known."""
    listed = list(known)
    for name in names:
        if name not in listed:
            message = f"no {kind} is called {name!r}"
            raise UsageError(message, hint=f"known: {', '.join(listed)}")
