"""How long something takes, on a wall clock that only goes forward."""

from __future__ import annotations

import time
from collections.abc import Callable


def timed[T](work: Callable[[], T]) -> tuple[float, T]:
    """The seconds that `work` took, and what it returned."""
    started = time.perf_counter()
    result = work()
    return time.perf_counter() - started, result
