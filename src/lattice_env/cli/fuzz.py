"""`lattice-env fuzz`."""

from __future__ import annotations

import json as json_format
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from rich.table import Table

from lattice_env.errors import UsageError
from lattice_env.fuzz import Trial, run_campaign
from lattice_env.redteam import task_folders

from .places import err, out

SHOWN = 100
"""After how many workspaces a line of progress is written."""


def fuzz(
    tasks: Path, *, count: int = 1000, seed: str = "0", first: int = 0, build: bool = False, json: bool = False
) -> int:
    """Put hostile workspaces before the verifiers of task packages, and hold every verdict to the laws.

    A verdict must come in time and parse; nothing may crash, be written outside of the scratch folder, be paid for
    without a repair, or be an infra_error. Exit code 0 if all that is so, 1 if not.

    Parameters
    ----------
    tasks
        A folder of task folders, or one task folder.
    count
        How many workspaces are judged; with --build, how many are built.
    seed
        Another seed, other workspaces.
    first
        The number of the first workspace: with --count 1, the one that did harm.
    build
        Gentle workspaces that pass the static gates, so that TeX reads them; seconds each.
    json
        Print every workspace that did harm as JSON instead of a table.
    """
    if count < 1 or first < 0:
        message = f"--count must be at least 1 and --first at least 0, not {count} and {first}"
        raise UsageError(message)
    done: list[Trial] = []

    def report(trial: Trial) -> None:
        done.append(trial)
        for wrong in trial.wrong:
            err().print(f"{trial.plan}\n  {wrong}", markup=False)
        if build or len(done) % SHOWN == 0:
            built = sum(trial.built for trial in done)
            err().print(f"{len(done)} judged, {built} past the static gates, {_harmful(done)} harmful", markup=False)

    trials = run_campaign(task_folders(tasks), seed=seed, first=first, count=count, build=build, report=report)
    if json:
        print(json_format.dumps([asdict(trial) for trial in trials if trial.wrong], indent=1))
    else:
        out().print(_table(trials))
    return int(_harmful(trials) > 0)


def _harmful(trials: list[Trial]) -> int:
    return sum(bool(trial.wrong) for trial in trials)


def _table(trials: list[Trial]) -> Table:
    """What was said, and how often."""
    table = Table("workspaces", "number")
    rows = {
        "judged": len(trials),
        "past the static gates": sum(trial.built for trial in trials),
        "paid": sum(bool(trial.reward) for trial in trials),
        "harmful": _harmful(trials),
    }
    codes = Counter(code for trial in trials for code in trial.codes)
    rows |= {f"refused: {code}": number for code, number in codes.most_common()}
    for name, number in rows.items():
        table.add_row(name, str(number))
    table.add_row("slowest verdict", f"{max(trial.seconds for trial in trials):.2f} s")
    return table
