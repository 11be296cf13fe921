"""The verifier: decides by program what a submitted paper earns.

This folder is copied whole into every task package, as `tests/lattice_verifier`. It imports Python's
standard library and itself, nothing else, and it must run under `python3 -I -S`.

The flow, one module a step::

    intake ─▶ gates (static) + redlines ─▶ build ─▶ facts ─▶ grade ─▶ verdict
                                 judge puts them together
"""

from .judge import verify
from .spec import Spec, read_spec
from .verdict import Verdict

__all__ = ["Spec", "Verdict", "read_spec", "verify"]
