"""Libraries that only some commands need: imported where they are used, named where they are missing."""

from __future__ import annotations

import importlib
from types import ModuleType

from lattice_env.errors import MissingTool


def need(module: str, extra: str) -> ModuleType:
    """The module; MissingTool says which extra of this package brings it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        message = f"{module.partition('.')[0]} is not installed"
        raise MissingTool(message, hint=f"pip install 'lattice-env[{extra}]'") from error
