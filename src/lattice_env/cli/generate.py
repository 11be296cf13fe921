"""`lattice-env generate`."""

from __future__ import annotations

import json as json_format
import os
from collections.abc import Mapping
from pathlib import Path

from lattice_env.errors import UsageError
from lattice_env.executors import Executor, open_executor
from lattice_env.families.doc_edit import FAMILIES as DOCUMENTS
from lattice_env.families.doc_edit.recipe import Knobs
from lattice_env.families.latex_ocr.make import FAMILIES as FORMULAS
from lattice_env.families.latex_ocr.settings import BUILTIN
from lattice_env.generate import generate as run_plan
from lattice_env.generate import make_document_plan, make_formula_plan, make_plan
from lattice_env.generate.plan import Plan, check_names, read_shard
from lattice_env.generate.run import Totals
from lattice_env.packages import read_pin
from lattice_env.seeds import load_seeds

from .places import err, out, store_folder
from .progress import reporting, totals_table

EXAMPLES = 20
"""Doc-edit tasks that are made where no limit is given."""


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
    level: list[str] | None = None,
    locale: list[str] | None = None,
    fillers: int | None = None,
    appendices: int | None = None,
    turns: int | None = None,
    templates: str | None = None,
    served: bool = False,
    toolchain: Path | None = None,
    salt: str = "public",
    units: int | None = None,
    shard: str | None = None,
    executor: str = "process",
    address: str | None = None,
    jobs: int | None = None,
    strict: bool = False,
    resume: bool = False,
    store: Path | None = None,
    json: bool = False,
) -> int:
    """Break seed papers or make documents to edit, package the tasks, and admit those whose self-tests all hold.

    Without --family, tasks of paper repair are made. The families of doc-edit (reference-and-update,
    audit-and-correct) need no TeX; their seeds are genres of documents. Nor does latex-ocr, whose seeds are printed
    formulas.

    The same arguments give the same bytes, whatever the machine, the executor or the number of jobs. A run that was
    interrupted or killed is gone on with by --resume; `lattice-env status OUT` watches it from elsewhere. On a
    cluster each of N jobs makes one shard in a folder of its own, and `lattice-env merge` puts them together.
    Rejected tasks go to OUT/_rejected; OUT/manifest.json says what was made and why anything was not.

    Parameters
    ----------
    out
        The folder for the tasks: new, empty, or one to resume.
    seeds_dir
        A folder of private seeds, each a folder with seed.json and project/; for latex-ocr, what ocr build-data wrote.
    styles_dir
        A folder of conference style files for the seeds that borrow them.
    seed
        Only this seed, for doc-edit this genre (purchase-order, …), for latex-ocr this formula (test-000007, …);
        repeatable.
    operator
        Only this operator (TEX-CMD-TRP, …); repeatable.
    family
        Only this family (build-repair, reference-hygiene, reference-and-update, …); repeatable.
    limit
        Stop after this many admitted tasks; for doc-edit, how many are made (20 if not given).
    faults
        How many faults each task has, 1 to 4, of different operators and in different places.
    level
        Doc-edit: only this level (note, letter, file, binder, archive); repeatable.
    locale
        Doc-edit: only this locale (en_US, …); repeatable.
    fillers
        Doc-edit: how many sections have nothing to change; as many as the level has if not given.
    appendices
        Doc-edit: how many sections echo values; as many as the level has if not given.
    turns
        Doc-edit: how many turns an agent has; as many as the level gives if not given.
    templates
        Doc-edit: the pool of section templates, seed (the default) or all.
    served
        Doc-edit: the document stands in a box of its own behind an MCP server; the agent has the tools and no file.
    toolchain
        A file of `image fingerprint`: the tasks of papers are for that toolchain, which must be this machine's, and
        no other judges them. If not given, any does.
    salt
        Another salt, other faulty places. Keep it private for a held-out split.
    units
        Look at no more than this many pairs of a seed and an operator, the first of the plan.
    shard
        Make only a part of the plan, like 3/8: the third of eight. With --limit it goes on until it has admitted as
        many itself, since it knows nothing of the others; --units bounds it.
    executor
        Where tasks are made: process (the default: processes of this machine), serial (this one), ray (a cluster).
    address
        The Ray cluster's address; a cluster on this machine is started for the run if not given.
    jobs
        Workers side by side; as many as there are cores if not given. A Ray cluster has as many as it has processors.
    strict
        Exit with 1 if any task was rejected.
    resume
        Go on with an interrupted run in OUT.
    store
        Where outcomes of builds are kept; ~/.cache/lattice-env/builds if not given.
    json
        Print the rows as JSON instead of a table.
    """
    papers: dict[str, object] = {"--styles-dir": styles_dir, "--operator": operator, "--toolchain": toolchain}
    papers["--faults"] = None if faults == 1 else faults
    documents = {"--level": level, "--locale": locale, "--fillers": fillers, "--appendices": appendices}
    documents |= {"--turns": turns, "--templates": templates, "--served": served or None}
    if any(name in FORMULAS for name in family or ()):
        _refuse(papers | documents, "other families")
        check_names("family of LaTeX OCR", family or (), FORMULAS)
        dataset = str(seeds_dir or BUILTIN)
        plan = make_formula_plan(salt, dataset=dataset, seed=seed or (), limit=limit)
    elif any(name in DOCUMENTS for name in family or ()):
        _refuse(papers | {"--seeds-dir": seeds_dir}, "paper repair")
        knobs = Knobs(
            num_examples=EXAMPLES if limit is None else limit,
            seed=salt,
            families=tuple(family or ()),
            genres=tuple(seed or ()),
            locales=tuple(locale or ()),
            levels=tuple(level or ()),
            n_fillers=fillers,
            n_appendices=appendices,
            max_turns=turns,
            templates=templates or "seed",
        )
        plan = make_document_plan(knobs, served=served)
    else:
        _refuse(documents, "doc-edit")
        plan = make_plan(
            load_seeds(seeds_dir, styles_dir),
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
    plan = plan if units is None else plan.first(units)
    plan = plan if shard is None else plan.part(*read_shard(shard))
    with open_executor(executor, jobs=count_workers(jobs), address=address) as workers:
        totals = fill(plan, out, store=store, executor=workers, resume=resume)
    show(totals, as_json=json)
    return int(strict and bool(totals.rejected))


def _refuse(options: Mapping[str, object], kind: str) -> None:
    """UsageError for the first option that is given and that only tasks of another kind have."""
    for name, value in options.items():
        if value is not None:
            message = f"{name} is for {kind}, which the chosen families are not"
            raise UsageError(message)


def fill(plan: Plan, folder: Path, *, store: Path | None, executor: Executor, resume: bool = False) -> Totals:
    """Run a plan with progress on stderr."""
    try:
        with reporting(err(), plan, executor.workers) as report:
            return run_plan(
                plan, folder, store=store or store_folder(), executor=executor, resume=resume, report=report
            )
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
    """The rows of a run, as a table or as JSON; its root digest on stderr."""
    err().print(f"root {totals.root}")
    if as_json:
        print(json_format.dumps([dict(row) for row in totals.rows], indent=1))
    else:
        out().print(totals_table(totals))
