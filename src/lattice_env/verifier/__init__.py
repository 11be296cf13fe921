"""The verifier: decides by program what a submission earns.

This folder is copied whole into every task package, as `tests/lattice_verifier`. It imports Python's
standard library and itself, nothing else, and it must run under `python3 -I -S`.

`judge` is the edge; it hands a submission to the engine of its family (`engines`). For papers, one module a step::

    intake ─▶ gates (static) + redlines ─▶ build ─▶ facts ─▶ grade ─▶ verdict
                                 papers puts them together

For documents of doc-edit::

    intake ─▶ alignment ─▶ edits ─▶ verdict

For transcriptions of formulas::

    intake ─▶ transcription (answer, padding, distance) ─▶ formulas ─▶ verdict
"""

from .engines import read_spec
from .judge import verify
from .spec import Spec, TaskSpec
from .verdict import Verdict

__all__ = ["Spec", "TaskSpec", "Verdict", "read_spec", "verify"]
