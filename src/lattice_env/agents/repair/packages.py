"""Missing packages: what the loop asks for, and what it may be told."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from .failures import Failure

_NAMED = re.compile(r"File `(?P<file>[^'/\\]+\.(?:sty|cls))' not found")


@dataclass(frozen=True)
class Installed:
    """One package was put into the managed tree: the file that was missing, and all files that came."""

    file: str
    package: str
    files: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    """What came into the tree, by path below it."""


@dataclass(frozen=True)
class NotInstalled:
    """Nothing was installed: why, and what a person can do."""

    reason: str


type Recovery = Callable[[Failure], Installed | NotInstalled]


def missing_file(failure: Failure) -> str:
    """The `.sty` or `.cls` that the log names as missing; empty where it names none."""
    found = _NAMED.search(failure.message)
    return found["file"] if found else ""


def no_recovery(failure: Failure) -> NotInstalled:
    """Nothing is installed where no tree is ours."""
    return NotInstalled(f"{missing_file(failure) or 'a file'} is missing, and this TeX tree is not managed here")
