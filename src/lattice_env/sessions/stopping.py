"""How what is under way is stopped: by SIGTERM, or because nobody waits for it any more."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Generator
from types import FrameType

GONE = "the client went away"
TERMINATED = 128 + signal.SIGTERM
"""The exit code after SIGTERM."""


class Stopped(BaseException):
    """A signal, or a client that is gone, ends the work wherever it is: no handler of errors may catch it."""

    def __init__(self, reason: str, code: int) -> None:
        super().__init__(reason)
        self.reason, self.code = reason, code


@contextlib.contextmanager
def stoppable() -> Generator[None]:
    """Within the block, in the main thread, SIGTERM and `tell_gone` raise Stopped wherever the work is."""

    def stop(number: int, _frame: FrameType | None) -> None:
        for one in numbers:
            signal.signal(one, signal.SIG_IGN)
        raise Stopped(*(("stopped by SIGTERM", TERMINATED) if number == signal.SIGTERM else (GONE, 0)))

    numbers = (signal.SIGTERM, signal.SIGUSR1)
    before = [signal.signal(number, stop) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


def tell_gone() -> None:
    """Stop the main thread's work, from another thread that has seen the client go."""
    main = threading.main_thread().ident
    if main is not None:
        signal.pthread_kill(main, signal.SIGUSR1)
