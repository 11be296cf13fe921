"""Many verdicts: a whole set of submissions at once, or one after the other from a trainer's event loop."""

from .batch import Entry, read_entries, verify_batch
from .pool import BusyError, VerifierPool, verify_async
from .work import How

__all__ = ["BusyError", "Entry", "How", "VerifierPool", "read_entries", "verify_async", "verify_batch"]
