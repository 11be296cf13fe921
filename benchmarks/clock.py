"""How long something takes: on a wall clock that only goes forward, or of this process's own processor time."""

from __future__ import annotations

import time
from collections.abc import Callable


def timed[T](work: Callable[[], T]) -> tuple[float, T]:
    """The seconds that `work` took, and what it returned."""
    started = time.perf_counter()
    result = work()
    return time.perf_counter() - started, result


def processor_timed[T](work: Callable[[], T]) -> tuple[float, T]:
    """The processor seconds that `work` took in this process, whatever else the machine does, and what it returned."""
    started = time.process_time()
    result = work()
    return time.process_time() - started, result
