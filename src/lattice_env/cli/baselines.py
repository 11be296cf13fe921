"""`lattice-env baselines`."""

from __future__ import annotations

import json as json_format
from dataclasses import asdict

from lattice_env.errors import UsageError
from lattice_env.families.doc_edit.ladder import ladder_table, measure

from .places import err


def baselines(*, tasks: int = 40, salt: str = "public", genre: list[str] | None = None, json: bool = False) -> int:
    """Measure how hard each level of doc-edit is: what nop, random, direct-only, regex and the oracle earn.

    Parameters
    ----------
    tasks
        How many tasks of each level and family are played.
    salt
        Another salt, other tasks.
    genre
        Only this genre (purchase-order, …); repeatable.
    json
        Print JSON instead of a table of Markdown.
    """
    if tasks < 1:
        message = f"--tasks must be at least 1, not {tasks}"
        raise UsageError(message)
    rungs = list(measure(tasks, salt, genres=genre or (), report=lambda text: err().print(text, markup=False)))
    if json:
        print(json_format.dumps([asdict(rung) for rung in rungs], indent=1))
    else:
        print(ladder_table(rungs), end="")
    return 0
