"""Verifiable document tasks for training and evaluating agents that write, repair and read documents.

`verify_async` and `VerifierPool` judge submissions from an event loop.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lattice_env.verification import BusyError, VerifierPool, verify_async

__all__ = ["BusyError", "VerifierPool", "verify_async"]


def __getattr__(name: str) -> object:
    """What `__all__` names, loaded when it is first asked for: importing the package alone loads nothing."""
    if name not in __all__:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    from lattice_env import verification  # noqa: PLC0415 - see above

    return getattr(verification, name)
