"""Where the command line keeps things on this machine, and what it prints on."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from rich.console import Console


def store_folder() -> Path:
    """The folder in which outcomes of builds are kept: out of every agent's reach, safe to delete."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "lattice-env" / "builds"


WIDE = 140
"""Columns of what is written to a file or a pipe: a table there need not fit a screen."""


def out() -> Console:
    """For data."""
    return Console(highlight=False, width=None if sys.stdout.isatty() else WIDE)


def err() -> Console:
    """For progress and messages."""
    return Console(stderr=True, highlight=False, width=None if sys.stderr.isatty() else WIDE)
