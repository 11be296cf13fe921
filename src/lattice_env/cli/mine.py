"""`lattice-env mine`."""

from __future__ import annotations

import json as json_format
from pathlib import Path

from rich.table import Table
from rich.text import Text

from lattice_env.errors import UsageError
from lattice_env.generate import mine as run
from lattice_env.generate.output import Row

from .places import err, store_folder
from .places import out as console
from .progress import describe


def mine(
    repo: Path,
    *,
    out: Path,
    private: bool = False,
    limit: int | None = None,
    strict: bool = False,
    resume: bool = False,
    store: Path | None = None,
    json: bool = False,
) -> int:
    """Turn faults that really happened into tasks: commits of a LaTeX paper's history after which it builds again.

    Every commit that changes a few lines of one to three sources is looked at, oldest first: the paper before it must
    fail the pinned build, the paper after it pass. The fault is the reverse of the hunks that matter. What an old
    paper lacks on this machine is put beside it, and recorded. Tasks are admitted as those of generate are;
    OUT/manifest.json says what became of each commit.

    Parameters
    ----------
    repo
        A local clone, or a bundle file. Nothing is fetched, and none of its hooks, filters or settings is used.
    out
        The folder for the tasks: new, empty, or one to resume.
    private
        Mine a repository without a licence file, or with one that forbids it, for your own use.
    limit
        Stop after this many admitted tasks.
    strict
        Exit with 1 if any task was rejected.
    resume
        Go on with an interrupted run in OUT.
    store
        Where outcomes of builds are kept; ~/.cache/lattice-env/builds if not given.
    json
        Print the rows as JSON instead of a table.
    """
    if limit is not None and limit < 1:
        message = f"--limit must be at least 1, not {limit}"
        raise UsageError(message)

    def report(row: Row, done: int, total: int) -> None:
        err().print(f"[{done}/{total}] {describe(row)}", markup=False)

    totals = run(repo, out, private=private, limit=limit, store=store or store_folder(), resume=resume, report=report)
    if json:
        print(json_format.dumps([dict(row) for row in totals.rows], indent=1))
    else:
        console().print(_table(totals.rows))
    return int(strict and bool(totals.rejected))


def _table(rows: tuple[Row, ...]) -> Table:
    table = Table("commit", "task", "what", title="commits that changed a few lines")
    table.columns[0].no_wrap = table.columns[1].no_wrap = True
    for row in rows:
        said = row.get("reason") or "; ".join(row["failures"]) or row["diagnostic"]
        table.add_row(*map(Text, (row["operator"][:10], row["task"] or "", said)))
    return table
