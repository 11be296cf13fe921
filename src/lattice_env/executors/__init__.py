"""Where work is done: in this process, in processes of this machine, or on a Ray cluster. The results are the same.

Work is a function and plain data, sent to a worker that may be anywhere. A worker that dies loses what it had under
way, which another does again, and nothing else.
"""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from itertools import islice
from typing import Protocol

from lattice_env.errors import UsageError

from .process import ProcessExecutor
from .serial import SerialExecutor

__all__ = ["EXECUTORS", "Executor", "Pending", "ProcessExecutor", "SerialExecutor", "in_order", "open_executor"]

EXECUTORS = ("serial", "process", "ray")

AHEAD = 16
"""Items per worker that are under way or waiting to be taken: no worker idles while the first of them takes as long as
fifteen others. What comes after the last result that is wanted is thrown away."""


class Pending[T](Protocol):
    """What a piece of work will come to."""

    def result(self) -> T:
        """Its result, when there is one; what the work raised, or LatticeError where no worker survives it."""
        ...


class Executor(Protocol):
    """Does work side by side."""

    @property
    def workers(self) -> int:
        """How many pieces of work are done at once."""
        ...

    def submit[*Ts, T](self, work: Callable[[*Ts], T], *words: *Ts) -> Pending[T]:
        """Have `work(*words)` done. The function is importable, its words and its result can be pickled."""
        ...

    def close(self) -> None:
        """End every worker at once, and leave no process and no folder behind."""
        ...


def in_order[*Ts, T](executor: Executor, work: Callable[[*Ts], T], items: Iterable[tuple[*Ts]]) -> Iterator[T]:
    """The results in the items' order; at most AHEAD items a worker are under way, the first of them from now on."""
    todo = iter(items)
    waiting = deque(executor.submit(work, *item) for item in islice(todo, AHEAD * executor.workers))
    return _taken(executor, work, todo, waiting)


def _taken[*Ts, T](
    executor: Executor, work: Callable[[*Ts], T], todo: Iterator[tuple[*Ts]], waiting: deque[Pending[T]]
) -> Iterator[T]:
    while waiting:
        yield waiting.popleft().result()
        for item in islice(todo, 1):
            waiting.append(executor.submit(work, *item))


@contextlib.contextmanager
def open_executor(name: str, *, jobs: int, address: str | None = None) -> Generator[Executor]:
    """An executor by its name, closed afterwards; UsageError for one that there is not, MissingTool without Ray."""
    executor = _make(name, jobs, address)
    try:
        yield executor
    finally:
        executor.close()


def _make(name: str, jobs: int, address: str | None) -> Executor:
    if name not in EXECUTORS:
        message = f"no executor is called {name!r}"
        raise UsageError(message, hint=f"known: {', '.join(EXECUTORS)}")
    if address is not None and name != "ray":
        message = f"--address is for the executor ray, not for {name}"
        raise UsageError(message)
    if name == "ray":
        from .ray import RayExecutor  # noqa: PLC0415 - an extra

        return RayExecutor(jobs, address)
    return SerialExecutor() if name == "serial" else ProcessExecutor(jobs)
