"""Work done in this process, one piece after the other, each when its result is asked for."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass

from . import scratch


@dataclass(frozen=True)
class Lazy[T]:
    """Work that is done when its result is asked for."""

    call: Callable[[], T]

    def result(self) -> T:
        """Do it."""
        return self.call()


class SerialExecutor:
    """Does work in this process."""

    workers = 1

    def __init__(self) -> None:
        scratch.sweep()
        self._before = tempfile.tempdir
        self._folder = scratch.claim()

    def submit[*Ts, T](self, work: Callable[[*Ts], T], *words: *Ts) -> Lazy[T]:
        """`work(*words)`, to be done when it is asked for."""
        return Lazy(lambda: work(*words))

    def close(self) -> None:
        """Remove what the work left."""
        tempfile.tempdir = self._before
        shutil.rmtree(self._folder, ignore_errors=True)
