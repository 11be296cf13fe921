"""`lattice-env generate`."""

from __future__ import annotations

import json as json_format
import os
from pathlib import Path

from lattice_env.errors import UsageError
from lattice_env.generate import generate as run_plan
from lattice_env.generate import make_plan
from lattice_env.generate.plan import Plan
from lattice_env.generate.run import Totals
from lattice_env.packages import read_pin
from lattice_env.seeds import load_seeds

from .places import err, out, store_folder
from .progress import reporting, totals_table


def generate(
    *,
    out: Path,
    seeds_dir: Path | None = None,
    styles_dir: Path | None = None,
    seed: list[str] | None = None,
    operator: list[str] | None = None,
    family: list[str] | None = None,
    limit: int | None = None,
    faults: int = 1,
    salt: str = "public",
    toolchain: Path | None = None,
    jobs: int | None = None,
    strict: bool = False,
    resume: bool = False,
    store: Path | None = None,
    json: bool = False,
) -> int:
    """Break seed papers, guard the faults, package the tasks, and admit those whose self-tests all hold.

    The same arguments give the same bytes, whatever the machine or the number of jobs. A run that was
    interrupted or killed is gone on with by --resume. Rejected tasks go to OUT/_rejected; OUT/manifest.json
    says what was made and why anything was not.

    Parameters
    ----------
    out
        The folder for the tasks: new, empty, or one to resume.
    seeds_dir
        A folder of private seeds, each a folder with seed.json and project/.
    styles_dir
        A folder of conference style files for the seeds that borrow them.
    seed
        Only this seed; repeatable.
    operator
        Only this operator (TEX-CMD-TRP, …); repeatable.
    family
        Only this family (build-repair, reference-hygiene); repeatable.
    limit
        Stop after this many admitted tasks.
    faults
        How many faults each task has, 1 to 4, of different operators and in different places.
    salt
        Another salt, other faulty places. Keep it private for a held-out split.
    toolchain
        A file of `image fingerprint`: the tasks are for that toolchain, which must be this machine's, and no
        other judges them. If not given, any does.
    jobs
        Workers side by side; as many as there are cores if not given.
    strict
        Exit with 1 if any task was rejected.
    resume
        Go on with an interrupted run in OUT.
    store
        Where outcomes of builds are kept; ~/.cache/lattice-env/builds if not given.
    json
        Print the rows as JSON instead of a table.
    """
    seeds = load_seeds(seeds_dir, styles_dir)
    plan = make_plan(
        seeds,
        salt,
        seed=seed or (),
        operator=operator or (),
        family=family or (),
        limit=limit,
        faults=faults,
        seeds_dir=seeds_dir,
        styles_dir=styles_dir,
        pin=read_pin(toolchain) if toolchain else None,
    )
    totals = fill(plan, out, store=store, jobs=jobs, resume=resume)
    show(totals, as_json=json)
    return int(strict and bool(totals.rejected))


def fill(plan: Plan, folder: Path, *, store: Path | None, jobs: int | None, resume: bool = False) -> Totals:
    """Run a plan with progress on stderr."""
    workers = count_workers(jobs)
    try:
        with reporting(err(), plan) as report:
            return run_plan(plan, folder, store=store or store_folder(), jobs=workers, resume=resume, report=report)
    except KeyboardInterrupt:
        err().print(f"interrupted: what is done stands in {folder}; --resume goes on", markup=False)
        raise


def count_workers(jobs: int | None) -> int:
    """How many workers: as many as asked for, or as there are cores; UsageError for less than one."""
    if jobs is not None and jobs < 1:
        message = f"--jobs must be at least 1, not {jobs}"
        raise UsageError(message)
    return jobs or os.cpu_count() or 1


def show(totals: Totals, *, as_json: bool) -> None:
    """The rows of a run, as a table or as JSON."""
    if as_json:
        print(json_format.dumps([dict(row) for row in totals.rows], indent=1))
    else:
        out().print(totals_table(totals))
