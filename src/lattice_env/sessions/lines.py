"""The environment over JSON lines: a request a line in, a reply a line out, until the input ends or a signal comes."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import threading
from collections.abc import Generator
from pathlib import Path
from types import FrameType
from typing import Any, BinaryIO

from .host import Host
from .protocol import MOST_LINE

GONE, ENDED = "the client went away", "the client's requests ended"
TERMINATED = 128 + signal.SIGTERM
"""The exit code after SIGTERM."""


def serve(episodes: Path, requests: BinaryIO, replies: BinaryIO) -> int:
    """Answer requests until they end; the exit code. Whatever ends it, the open episode's record is closed.

    A client that no longer reads ends a build that is running for it.
    """
    host = Host(episodes)
    reason = ENDED
    try:
        with _terminable(), _watched(replies):
            while line := requests.readline(MOST_LINE + 1):
                if len(line) > MOST_LINE and not line.endswith(b"\n"):
                    _skip_line(requests)
                if line.strip():
                    _answer(host, line, replies)
    except BrokenPipeError:
        reason = GONE
    except _Stopped as stop:
        reason = stop.reason
        return stop.code
    except KeyboardInterrupt:
        reason = "interrupted"
        raise
    except BaseException as error:
        reason = f"a bug: {error!r}"
        raise
    finally:
        host.leave(reason)
    return 0


class _Stopped(BaseException):
    """A signal, or a client that is gone, ends the work wherever it is: no handler of errors may catch it."""

    def __init__(self, reason: str, code: int) -> None:
        super().__init__(reason)
        self.reason, self.code = reason, code


def _answer(host: Host, line: bytes, replies: BinaryIO) -> None:
    reply: dict[str, Any] = host.take_line(line)
    replies.write(json.dumps(reply).encode("ascii") + b"\n")
    replies.flush()


def _skip_line(requests: BinaryIO) -> None:
    """Read on to the end of a line that is too long, without keeping it."""
    while (rest := requests.readline(MOST_LINE)) and not rest.endswith(b"\n"):
        pass


@contextlib.contextmanager
def _terminable() -> Generator[None]:
    """SIGTERM stops the work where it is, and SIGUSR1 means that the client is gone."""

    def stop(number: int, _frame: FrameType | None) -> None:
        signal.signal(number, signal.SIG_IGN)
        raise _Stopped(*(("stopped by SIGTERM", TERMINATED) if number == signal.SIGTERM else (GONE, 0)))

    numbers = (signal.SIGTERM, signal.SIGUSR1)
    before = [signal.signal(number, stop) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


@contextlib.contextmanager
def _watched(replies: BinaryIO) -> Generator[None]:
    """Send this process SIGUSR1 once nobody reads its replies any more; a file is always read."""
    done, wake = os.pipe()

    def watch() -> None:
        poll = select.poll()
        poll.register(replies.fileno(), 0)  # nothing but what is always told: that the other end is closed
        poll.register(done, select.POLLIN)
        if done not in dict(poll.poll()):
            os.kill(os.getpid(), signal.SIGUSR1)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        os.close(wake)
        thread.join()
        os.close(done)
