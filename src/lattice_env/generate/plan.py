"""What is to be made: units, what makes them, and how many are wanted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lattice_env.errors import UsageError
from lattice_env.packages import Pin

from .maker import Maker, Unit


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
