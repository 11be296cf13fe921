"""`lattice-env status`."""

from __future__ import annotations

import json as json_format
import time
from pathlib import Path

from rich.table import Table
from rich.text import Text

from lattice_env.errors import UsageError
from lattice_env.generate.status import RUNNING, Status, find_runs, read_status

from .places import out as console
from .progress import in_words


def status(out: Path, *, watch: float | None = None, json: bool = False) -> int:
    """Show how far a run of generate is, or each shard's run, from any terminal that can read its folder.

    Nothing is asked of the run itself: its journal tells what is done and how long it took, its lock whether it lives.

    Parameters
    ----------
    out
        The folder that a run fills, or a folder of the folders of shards.
    watch
        Show it anew every so many seconds, until no run is alive.
    json
        Print JSON instead of a table.
    """
    if watch is not None and watch <= 0:
        message = f"--watch must be more than 0 seconds, not {watch:g}"
        raise UsageError(message)
    while True:
        found = [read_status(folder) for folder in find_runs(out)]
        if json:
            print(json_format.dumps([each.to_json() for each in found], indent=1))
        else:
            console().print(_table(found))
        if watch is None or all(each.state != RUNNING for each in found):
            return 0
        time.sleep(watch)


def _table(found: list[Status]) -> Table:
    """A line for each run; the last says what they come to. The last of them to end is what is waited for."""
    table = Table("run", "state", show_footer=True)
    for name in ("units", "admitted", "rejected", "workers", "left"):
        table.add_column(name, justify="right")
    table.add_column("root")
    for each in found:
        words = (each.folder.name, each.state, *_figures([each]), each.root[:16])
        table.add_row(*map(Text, words))
    for column, text in zip(table.columns[2:7], _figures(found), strict=True):
        column.footer = text
    return table


def _figures(found: list[Status]) -> tuple[str, ...]:
    running = [each for each in found if each.state == RUNNING]
    left = [each.seconds_left for each in running if each.seconds_left is not None]
    counts = (sum(each.admitted for each in found), sum(each.rejected for each in found))
    workers = sum(each.workers for each in running)
    done = f"{sum(each.done for each in found)}/{sum(each.units for each in found)}"
    return (done, *map(str, counts), str(workers), in_words(max(left)) if left else "")
