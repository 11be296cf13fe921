"""`lattice-env mine`."""

from __future__ import annotations

import json as json_format
import tempfile
from pathlib import Path

from rich.table import Table
from rich.text import Text

from lattice_env.executors import open_executor
from lattice_env.families.paper.mined.history import open_history
from lattice_env.generate import make_mining_plan
from lattice_env.journal import Row

from .generate import count_workers, fill
from .places import out as console


def mine(
    repo: Path,
    *,
    out: Path,
    private: bool = False,
    limit: int | None = None,
    jobs: int | None = None,
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
    jobs
        Workers side by side; as many as there are cores if not given. The output is the same for any number.
    strict
        Exit with 1 if any task was rejected.
    resume
        Go on with an interrupted run in OUT.
    store
        Where outcomes of builds are kept; ~/.cache/lattice-env/builds if not given.
    json
        Print the rows as JSON instead of a table.
    """
    with tempfile.TemporaryDirectory(prefix="lattice-") as scratch:
        plan = make_mining_plan(open_history(repo, Path(scratch)), private=private, limit=limit)
        with open_executor("process", jobs=count_workers(jobs)) as executor:
            totals = fill(plan, out, store=store, executor=executor, resume=resume)
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
