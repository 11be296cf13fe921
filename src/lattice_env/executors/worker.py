"""A worker's own process: it takes work from a pipe until the pipe, or its parent, is gone."""

from __future__ import annotations

import ctypes
import multiprocessing
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


def start_worker() -> None:
    """Leave interrupts and ends to the parent, which ends its workers itself; and end with it, however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if sys.platform == "linux" and parent:
        ctypes.CDLL(None).prctl(_END_WITH_PARENT, signal.SIGKILL)
        if os.getppid() != parent.pid:
            sys.exit("the run was killed")
    scratch.claim()


def work_on(pipe: Connection) -> None:
    """Do what comes through the pipe, and send back (True, result) or (False, error)."""
    start_worker()
    while True:
        try:
            work, words = pipe.recv()
        except EOFError:
            return
        pipe.send(_done(work, words))


def _done(work: Callable[..., Any], words: tuple[Any, ...]) -> tuple[bool, Any]:
    try:
        return True, work(*words)
    except LatticeError as error:
        return False, error
    except Exception as error:  # noqa: BLE001 - it is raised again where the result is asked for
        error.add_note(traceback.format_exc())
        return False, error
