"""`lattice-env verify`."""

from __future__ import annotations

from pathlib import Path

from lattice_env.errors import UsageError
from lattice_env.packages import checked_package
from lattice_env.verifier.entry import judge_package, summary, write_reward
from lattice_env.verifier.store import Store
from lattice_env.verifier.verdict import INFRA_ERROR

from .places import err, store_folder


def verify(task: Path, workspace: Path, *, out: Path | None = None, fast: bool = False, json: bool = False) -> int:
    """Judge a workspace of a task, as the task's own verifier does.

    Exit code 0 for a verdict, whatever the reward; 1 where the machine cannot judge (infra_error: no
    reward is written); 4 for a task folder that is not whole.

    Parameters
    ----------
    task
        A task folder.
    workspace
        The folder to judge.
    out
        Where reward.txt, reward.json and verdict.json are written.
    fast
        Try one pass from the state of the original's build, and build from nothing where that moves anything.
    json
        Print the whole verdict as JSON.
    """
    checked_package(task)
    verdict = judge_package(task / "tests", workspace, Store(store_folder(), fast=fast))
    if out:
        try:
            write_reward(verdict, out)
        except OSError as error:
            message = f"{out}: the verdict cannot be written: {error.strerror}"
            raise UsageError(message) from error
    print(verdict.to_json() if json else summary(verdict), end="")
    if verdict.status == INFRA_ERROR:
        err().print("hint: lattice-env doctor says what is missing")
    return int(verdict.status == INFRA_ERROR)
