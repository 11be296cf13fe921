"""A worker's own process: it takes work from a pipe until the pipe, or its parent, is gone."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from lattice_env.errors import LatticeError

from . import scratch

_END_WITH_PARENT = 1
"""Linux's PR_SET_PDEATHSIG: a parent that is killed outright cannot end its workers."""


def main(pipe: str, parent: str) -> None:
    """Do what comes through the pipe with this number, and send back (True, result) or (False, error)."""
    _begin(int(parent))
    with Connection(int(pipe)) as ours:
        while True:
            try:
                work, words = ours.recv()
            except EOFError:
                return
            ours.send(_done(work, words))


def _begin(parent: int) -> None:
    """Leave interrupts and ends to the parent, which ends its workers itself; and end with it, however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_END_WITH_PARENT, signal.SIGKILL)
        if os.getppid() != parent:
            sys.exit("the run was killed")
    scratch.claim()


def _done(work: Callable[..., Any], words: tuple[Any, ...]) -> tuple[bool, Any]:
    try:
        return True, work(*words)
    except LatticeError as error:
        return False, error
    except Exception as error:  # noqa: BLE001 - it is raised again where the result is asked for
        error.add_note(traceback.format_exc())
        return False, error
