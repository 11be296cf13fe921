"""`lattice-env repair`."""

from __future__ import annotations

import json as codec
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Literal

from lattice_env.agents.repair import Limits, Result, Setting, chain, choose_root, read_project
from lattice_env.agents.repair import repair as run_repair
from lattice_env.agents.repair.check import check_run
from lattice_env.agents.repair.llm import Llm, llm
from lattice_env.agents.repair.loop import AMBIGUOUS_ROOT, NO_ROOT, SUCCESS
from lattice_env.agents.repair.rules import rules
from lattice_env.agents.repair.trace import DIFF, REPORT, new_run
from lattice_env.agents.repair.tree import advise, read_tree, recovery, tree_tools
from lattice_env.errors import LatticeError, UsageError
from lattice_env.verifier.toolchain import toolchain
from lattice_env.verifier.verdict import InfraError

from .places import err
from .places import out as stdout


def repair(
    project: Path | None = None,
    *,
    root: str = "",
    active: str = "",
    policy: Literal["rules", "llm", "chain"] = "rules",
    base_url: str = "",
    model: str = "",
    tree: Path | None = None,
    repository: str = "",
    edits: int = 8,
    seconds: float = 900.0,
    out: Path | None = None,
    check: Path | None = None,
    json: bool = False,
) -> int:
    """Repair a paper that does not build, one bounded step at a time, and leave evidence of every step.

    The root is built, its first failure classified, one action taken, the same root built again, until
    there is a PDF without an error or no progress. An edit reaches the project only after it helped.
    Exit code 0 for a PDF (or evidence that holds), 1 for a failure that is left, 2 where no root is chosen.

    Parameters
    ----------
    project
        The folder of the paper.
    root
        The file to build; without it, the active file or the only one with a document class.
    active
        The file that is being edited; a `% !TeX root` comment in it is honoured.
    policy
        Who proposes edits: rules (no guessing), llm (an endpoint), chain (rules, then llm).
    base_url
        The OpenAI-compatible endpoint of llm, such as http://127.0.0.1:8080/v1; key in LATTICE_API_KEY.
    model
        The model that the endpoint is asked for.
    tree
        A tree that `lattice-env tree init` made, into which missing packages are installed.
    repository
        Where tlmgr gets packages; the tree's own setting if not given.
    edits
        The most edits of one run.
    seconds
        After this time no further action is begun.
    out
        The folder for the evidence, new or empty; PROJECT-repair beside the project if not given.
    check
        Check the evidence in this folder instead: its chain, its files, and the run done again.
    json
        Print JSON instead of lines.
    """
    if check is not None:
        return _check(check, as_json=json)
    if project is None:
        message = "no PROJECT was given"
        raise UsageError(message, hint="lattice-env repair PROJECT, or lattice-env repair --check RUN")
    setting = _setting(policy, base_url, model, tree, repository, Limits(edits=edits, seconds=seconds))
    result, folder = repair_project(project, out, root=root, active=active, setting=setting)
    if json:
        print(codec.dumps({**asdict(result), "evidence": str(folder)}, indent=1, ensure_ascii=False))
    else:
        _show(result, folder)
    if result.status in (AMBIGUOUS_ROOT, NO_ROOT):
        return UsageError.exit_code
    return int(result.status != SUCCESS)


def repair_project(
    project: Path, folder: Path | None, *, root: str, active: str, setting: Setting
) -> tuple[Result, Path]:
    """The result of one run, and the folder of its evidence, which does not lie in the project."""
    read = read_project(project)
    place = folder or project.absolute().parent / f"{project.absolute().name}-repair"
    if place.resolve().is_relative_to(project.resolve()):
        message = f"{place} lies in the project"
        raise UsageError(message, hint="give --out another folder: the evidence is no part of the paper")
    roots = choose_root(read.files, root=root, active=active)
    return run_repair(read, roots, new_run(place), setting), place


def _setting(policy: str, base_url: str, model: str, tree: Path | None, repository: str, limits: Limits) -> Setting:
    managed = read_tree(tree, repository) if tree else None
    if repository and not tree:
        message = "--repository is of use with --tree only"
        raise UsageError(message, hint="lattice-env tree init makes a tree")
    asked = _model(policy, base_url, model)
    chosen = {"rules": rules, "llm": asked, "chain": chain([rules, asked] if asked else [rules])}[policy]
    return Setting(
        policy=chosen or rules,
        spent=asked.spent if asked else dict,
        policy_name=f"{policy} {model}".strip(),
        tools=(lambda: tree_tools(managed.folder)) if managed else toolchain,
        recover=recovery(managed) if managed else advise,
        tree=managed.folder if managed else None,
        limits=limits,
        say=_say(),
    )


def _model(name: str, base_url: str, model: str) -> Llm | None:
    if name == "rules":
        return None
    if not base_url or not model:
        message = f"the policy {name} needs --base-url and --model"
        raise UsageError(message, hint="any OpenAI-compatible endpoint will do")
    return llm(base_url, model)


def _say() -> Callable[[str], None]:
    console = err()
    return lambda line: console.print(line, markup=False)


def _show(result: Result, folder: Path) -> None:
    console = stdout()
    reason = f": {result.reason}" if result.reason else ""
    console.print(f"{result.status}{reason}", markup=False)
    if result.last:
        console.print(f"left: {result.last}", markup=False)
    console.print(f"{result.compiles} builds, {result.edits} edits, {result.installs} packages", markup=False)
    console.print(f"evidence: {folder / REPORT}, {folder / DIFF}", markup=False)


def _check(folder: Path, *, as_json: bool) -> int:
    try:
        checked = check_run(folder, say=_say())
    except InfraError as error:
        message = f"the run cannot be done again: {error}"
        raise LatticeError(message, hint="lattice-env doctor says what is missing") from error
    if as_json:
        print(codec.dumps(asdict(checked), indent=1, ensure_ascii=False))
        return int(bool(checked.faults) or not checked.finished)
    for line in (*checked.faults, *checked.notes):
        stdout().print(line, markup=False)
    if not checked.faults:
        state = "holds" if checked.finished else "holds as far as it goes: the run was not ended"
        stdout().print(
            f"the evidence {state}: {checked.steps} steps, {checked.compiled} builds done again", markup=False
        )
    return int(bool(checked.faults) or not checked.finished)
