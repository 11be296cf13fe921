"""How long something takes: on the wall, and on the processor."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Spent:
    """What a piece of work took."""

    wall: float
    """Seconds on a clock that only goes forward."""
    cpu: float
    """Seconds of processors, of this process and of the children that it waited for: others' load hardly counts."""


def timed[T](work: Callable[[], T]) -> tuple[Spent, T]:
    """What `work` took, and what it returned."""
    started, used = time.perf_counter(), _cpu()
    result = work()
    return Spent(time.perf_counter() - started, _cpu() - used), result


def _cpu() -> float:
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)
