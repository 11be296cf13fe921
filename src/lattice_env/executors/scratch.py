"""The temporary folder of each worker, so that what a killed one leaves is known and swept."""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import os
import shutil
import tempfile
from pathlib import Path

PREFIX = "lattice-worker-"


def claim() -> Path:
    """A new temporary folder for all that this process does; it is this process's as long as that lives.

    The folder is locked, and the system lets go of the lock however the process ends: no clock and no number of a
    process, which another may have by then, says whose it is.
    """
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    while not _lock(folder):
        folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    tempfile.tempdir = str(folder)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _lock(folder: Path) -> bool:
    """Lock a folder for as long as this process lives; False where it was swept before it was locked."""
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except FileNotFoundError:
        return False
    fcntl.flock(handle, fcntl.LOCK_EX)
    if folder.is_dir():
        return True
    os.close(handle)
    return False


def sweep() -> None:
    """Remove the folders of workers that are no more, of this user and this machine."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):  # another sweeps it, or it is another user's
            _sweep(folder)


def _sweep(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        if os.fstat(handle).st_uid == os.geteuid():
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(handle)
