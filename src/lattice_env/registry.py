"""Finds operators, cheats and families by importing the folder in which each has a file."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Any


def collect(package: str, attribute: str) -> Iterator[Any]:
    """What each module of `package` calls `attribute`, in the order of the modules' names.

    Raises AttributeError for a module without it: a file in such a folder is there to be found.
    """
    folder = importlib.import_module(package)
    for name in sorted(info.name for info in pkgutil.iter_modules(folder.__path__)):
        yield getattr(importlib.import_module(f"{package}.{name}"), attribute)
