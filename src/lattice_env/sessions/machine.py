"""What episodes on one machine share: who reaches their verdicts, and whose turn it is to build."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field

from .judging import Judge, judge_workspace


@dataclass(frozen=True)
class Machine:
    """As it is for an episode of its own; a server of many has a pool that judges, and a turn for each build."""

    judging: Judge = judge_workspace
    building: AbstractContextManager[object] = field(default_factory=nullcontext[None])
    """Entered for each build that an agent asks for, and left after it: a semaphore where many may ask at once."""


ALONE = Machine()
