"""Verdicts for an event loop: a bounded pool of processes, with back-pressure, time-outs, metrics, a graceful end."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from lattice_env.errors import LatticeError
from lattice_env.executors import ProcessExecutor
from lattice_env.executors.process import WorkerKilledError
from lattice_env.verifier.verdict import Verdict

from .metrics import Metrics
from .work import How, judge, unjudged

SECONDS = 300.0
"""How long a request may take, waiting included, if nothing else is said."""


class BusyError(LatticeError):
    """The pool takes no request now: too many wait, or it is draining. A server answers 503."""


class VerifierPool:
    """Judges submissions in `workers` processes; a request that finds none free waits, first come first served.

    No request ever gets a reward that it did not earn: one that takes too long, or whose workers are killed, gets the
    verdict `infra_error`, which has none. Use it from one event loop.
    """

    def __init__(
        self,
        *,
        workers: int | None = None,
        most_waiting: int | None = None,
        seconds: float = SECONDS,
        store: Path | None = None,
        fast: bool = False,
    ) -> None:
        self.workers = count = workers or os.cpu_count() or 1
        self.most_waiting = most_waiting
        """How many requests may wait before others are refused with BusyError; None for any number."""
        self._seconds, self._how = seconds, How(store, fast)
        self._executor = ProcessExecutor(count)
        self._slots = asyncio.Semaphore(count)
        self._counts = Metrics(count)
        self._idle = asyncio.Event()
        self._idle.set()
        self._draining = self._closed = False
        self._loop: asyncio.AbstractEventLoop | None = None

    async def verify(self, task: Path, work: Path | Mapping[str, bytes], *, seconds: float | None = None) -> Verdict:
        """The verdict of a task folder on a workspace, or on files (path → content).

        Raises BusyError where the pool takes no more. A caller that goes away is forgotten: a request that waits is
        dropped, one that a worker is at ends by itself.
        """
        counts, started = self._counts, time.monotonic()
        full = self.most_waiting is not None and self._slots.locked() and counts.waiting >= self.most_waiting
        if self._draining or full:
            counts.refused += 1
            why = "draining" if self._draining else f"busy: {counts.waiting} requests wait"
            message = f"the verifiers are {why}"
            raise BusyError(message, hint="ask again later, or elsewhere")
        limit = self._seconds if seconds is None else seconds
        try:
            verdict = await self._verdict(task, work, started + limit)
        except TimeoutError:
            counts.timeouts += 1
            verdict = unjudged(f"no verdict within {limit:g} s")
        except WorkerKilledError as error:
            verdict = unjudged(str(error))
        except asyncio.CancelledError:
            counts.abandoned += 1
            raise
        counts.count(verdict.status, time.monotonic() - started)
        return verdict

    async def _verdict(self, task: Path, work: Path | Mapping[str, bytes], ends: float) -> Verdict:
        counts = self._counts
        counts.waiting += 1
        self._idle.clear()
        try:
            async with asyncio.timeout(ends - time.monotonic()):
                await self._slots.acquire()
        except BaseException:
            counts.waiting -= 1
            self._look_idle()
            raise
        counts.waiting, counts.running = counts.waiting - 1, counts.running + 1
        if self._closed:
            self._free()
            raise WorkerKilledError("the verifiers were ended")
        left, loop = ends - time.monotonic(), asyncio.get_running_loop()
        future = self._executor.submit_within(max(left, 0.0), judge, task, work, self._how)
        future.add_done_callback(lambda _: _tell(loop, self._free))
        verdict = await asyncio.wrap_future(future)
        assert verdict is not None, "a verdict is only known to those who ask for none"  # noqa: S101
        return verdict

    def _free(self) -> None:
        """A worker has ended what it was at, whoever still waits for it."""
        self._counts.running -= 1
        self._slots.release()
        self._look_idle()

    def _look_idle(self) -> None:
        if self._counts.waiting == self._counts.running == 0:
            self._idle.set()

    def attach(self) -> None:
        """Judge for threads too, from the event loop that is running now."""
        self._loop = asyncio.get_running_loop()

    def verify_from_thread(self, task: Path, work: Path | Mapping[str, bytes]) -> Verdict:
        """The same as `verify`, awaited by a thread that is not the event loop's; it must be attached to one."""
        assert self._loop is not None, "attach() comes first"  # noqa: S101 - a slip of ours
        return asyncio.run_coroutine_threadsafe(self.verify(task, work), self._loop).result()

    def metrics(self) -> str:
        """What the pool has done and is doing, in Prometheus's text format."""
        return self._counts.text(self._executor.deaths)

    async def drain(self, seconds: float | None = None) -> None:
        """Take no more requests, let those that are here end (for at most `seconds`), then end the workers."""
        self._draining = True
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._idle.wait()
        self._closed = True
        await asyncio.to_thread(self._executor.close)

    def drain_on_sigterm(self, seconds: float | None = None) -> asyncio.Event:
        """Drain when this process is asked to end; the event is set when that is done, and the caller ends then."""
        drained, loop, tasks = asyncio.Event(), asyncio.get_running_loop(), set[asyncio.Task[None]]()

        async def end() -> None:
            await self.drain(seconds)
            drained.set()

        loop.add_signal_handler(signal.SIGTERM, lambda: tasks.add(loop.create_task(end())))
        return drained

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.drain(0 if kind else None)


def _tell(loop: asyncio.AbstractEventLoop, what: Callable[[], None]) -> None:
    with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
        loop.call_soon_threadsafe(what)


_POOLS: dict[asyncio.AbstractEventLoop, VerifierPool] = {}


async def verify_async(
    task: Path, work: Path | Mapping[str, bytes], *, pool: VerifierPool | None = None, seconds: float | None = None
) -> Verdict:
    """The verdict of a task folder on a workspace or on files, without holding up the event loop.

    Without a `pool`, one with a worker for each processor is made for this event loop and lives as long as the process.
    """
    loop = asyncio.get_running_loop()
    chosen = pool or _POOLS.get(loop)
    if chosen is None:
        chosen = _POOLS[loop] = VerifierPool()
    return await chosen.verify(task, work, seconds=seconds)
