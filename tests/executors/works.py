"""Work for executors: plain functions that a worker's process can import."""

from __future__ import annotations

import os
import signal
import tempfile
import time
from pathlib import Path

from lattice_env.errors import SeedError


def double(number):
    return 2 * number


def number_of_process():
    return os.getpid()


def fail():
    raise SeedError("the seed is bad", hint="another seed")


def stumble():
    return {}["nothing"]


def touch(path):
    Path(path).touch()


def sleep(seconds):
    time.sleep(seconds)


def kill_once(mark):
    """End this worker as the system does that is out of memory, the first time; then the number of its process."""
    if not Path(mark).exists():
        Path(mark).write_text(tempfile.mkdtemp(prefix="lattice-"))
        os.kill(os.getpid(), signal.SIGKILL)
    return os.getpid()


def kill():
    os.kill(os.getpid(), signal.SIGKILL)


def fill_folder():
    """A temporary folder that a worker leaves behind."""
    folder = tempfile.mkdtemp(prefix="lattice-")
    Path(folder, "half").write_text("half")
    return folder
