"""`lattice-env merge`."""

from __future__ import annotations

from pathlib import Path

from lattice_env.generate import merge as run
from lattice_env.journal import Row

from .generate import show
from .places import err
from .progress import describe


def merge(out: Path, shards: list[Path], *, resume: bool = False, json: bool = False) -> int:
    """Put the shards of a plan together: OUT is then what one run of the whole plan would have made, to the byte.

    Every shard must be there and finished; their order does not matter. Each package is checked against its shard's
    manifest. Exit code 4 for a shard that is missing, unfinished, spoilt or of another plan.

    Parameters
    ----------
    out
        The folder for the tasks: new, empty, or one to resume.
    shards
        The folders that `generate --shard` filled.
    resume
        Go on with an interrupted merge in OUT.
    json
        Print the rows as JSON instead of a table.
    """

    def report(row: Row, done: int, total: int) -> None:
        err().print(f"[{done}/{total}] {describe(row)}", markup=False)

    show(run(shards, out, resume=resume, report=report), as_json=json)
    return 0
