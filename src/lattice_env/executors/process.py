"""Work done in processes of this machine. One that dies is replaced, and what it had under way is done again."""

from __future__ import annotations

import atexit
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from multiprocessing.connection import Connection, Pipe
from typing import Any

from lattice_env.errors import LatticeError

from . import scratch

MOST_DEATHS = 3
"""How many workers one piece of work may cost."""

START = "import sys; sys.path[:] = sys.argv[3:]; from lattice_env.executors.worker import main; main(*sys.argv[1:3])"
"""What a worker's process begins with: its end of the pipe, its parent, and where modules are found."""


class WorkerKilledError(LatticeError):
    """The workers that did a piece of work were killed, one after the other."""


class Lane:
    """One worker's process, started when it is needed."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._pipe: Connection | None = None

    def run(self, work: Callable[..., Any], words: tuple[Any, ...], seconds: float | None) -> Any:
        """The result of work; EOFError where the worker dies, TimeoutError where it takes longer: it is ended then."""
        pipe = self._pipe or self._start()
        try:
            pipe.send((work, words))
            if not pipe.poll(seconds):
                message = f"no result within {seconds} s"
                raise TimeoutError(message)
            fine, result = pipe.recv()
        except (OSError, EOFError):  # TimeoutError is one
            self.end()
            raise
        if fine:
            return result
        raise result

    def _start(self) -> Connection:
        """A fresh interpreter that loads what its work needs and nothing of the program that asks for it.

        `multiprocessing.Process` would load that program's main module again: a trainer's, with all that it imports.
        """
        self._pipe, theirs = Pipe()
        with theirs:
            words = [sys.executable, "-c", START, str(theirs.fileno()), str(os.getpid()), *sys.path]
            self._process = subprocess.Popen(words, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()])  # noqa: S603 - a list, ours
        return self._pipe

    def kill(self) -> None:
        """Kill the process, if there is one; who waits for its result is told."""
        process = self._process
        if process:
            process.kill()

    def end(self) -> None:
        """End the process at once, if there is one."""
        self.kill()
        if self._process:
            self._process.wait()
        if self._pipe:
            self._pipe.close()
        self._process = self._pipe = None


class ProcessExecutor:
    """Does work in `workers` processes, each watched by a thread of this one."""

    def __init__(self, workers: int) -> None:
        scratch.sweep()
        self.workers = workers
        self.deaths = 0
        """How many workers died, or were ended because they took too long."""
        self._lanes = [Lane() for _ in range(workers)]
        self._free: queue.SimpleQueue[Lane] = queue.SimpleQueue()
        for lane in self._lanes:
            self._free.put(lane)
        self._closed = threading.Event()
        # A worker ends with the thread that started it: these live until the executor is closed.
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="lattice")
        atexit.register(self.close)  # workers leave SIGTERM to us, with which Python would end them and wait

    def submit[*Ts, T](self, work: Callable[[*Ts], T], *words: *Ts) -> Future[T]:
        """Have `work(*words)` done by the next free worker."""
        return self._threads.submit(self._run, work, words, None)

    def submit_within[*Ts, T](self, seconds: float, work: Callable[[*Ts], T], *words: *Ts) -> Future[T]:
        """The same; TimeoutError where it takes longer, once begun: its worker is ended then."""
        return self._threads.submit(self._run, work, words, seconds)

    def _run(self, work: Callable[..., Any], words: tuple[Any, ...], seconds: float | None) -> Any:
        lane = self._free.get()
        try:
            for _ in range(MOST_DEATHS):
                try:
                    return lane.run(work, words, seconds)
                except TimeoutError:
                    self.deaths += 1
                    raise
                except (OSError, EOFError):
                    self.deaths += 1
                    if self._closed.is_set():
                        break
        finally:
            self._free.put(lane)
        message = "a worker was killed" if self._closed.is_set() else f"{MOST_DEATHS} workers were killed at one task"
        raise WorkerKilledError(message, hint="fewer --jobs need less memory; --resume goes on where this run ended")

    def close(self) -> None:
        """End the workers at once: what they still have under way is wanted no more."""
        self._closed.set()
        atexit.unregister(self.close)
        self._threads.shutdown(wait=False, cancel_futures=True)
        while self._free.qsize() < self.workers:
            for lane in self._lanes:
                lane.kill()
            time.sleep(0.005)
        for lane in self._lanes:
            lane.end()
        self._threads.shutdown()
        scratch.sweep()
