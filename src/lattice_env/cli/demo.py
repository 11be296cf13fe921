"""`lattice-env demo`."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rich.table import Table

from lattice_env.errors import LatticeError
from lattice_env.executors import open_executor
from lattice_env.generate import make_plan
from lattice_env.journal import Row
from lattice_env.seeds import load_seeds

from .generate import count_workers, fill, show
from .places import err, out

LEAST_SEEDS = 6
VERIFY_SECONDS = 120


@dataclass(frozen=True)
class Trial:
    """One task, judged by its own package: its place in the plan, and two rewards as they were written."""

    family: str
    seed: str
    operator: str
    task: str
    oracle: str
    nop: str


def demo(*, out: Path = Path("out/demo"), tasks: int = 28, jobs: int | None = None) -> int:
    """Make tasks of all families from real papers, and judge the oracle and the untouched paper of each.

    Every task is judged by its own package, `python3 -I -S tests/verify.py`, with this package out of sight.
    Exit code 0 if every oracle earns 1 and every untouched paper 0.

    Parameters
    ----------
    out
        The folder for the tasks; what an earlier demo left there is replaced.
    tasks
        How many tasks to admit.
    jobs
        Workers side by side; as many as there are cores if not given.
    """
    seeds = load_seeds()
    _clear(out)
    with open_executor("process", jobs=count_workers(jobs)) as executor:
        totals = fill(make_plan(seeds, "demo", limit=tasks), out, store=None, executor=executor)
    show(totals, as_json=False)
    err().print("judging every task by its own package: the reference repair, and the untouched paper")
    with ThreadPoolExecutor(count_workers(jobs)) as pool:
        trials = list(_counted(pool.map(partial(_try, out), totals.admitted), len(totals.admitted)))
    return _report(trials, out, tasks)


def _counted(trials: Iterator[Trial], total: int) -> Iterator[Trial]:
    """The trials as they come, each said on stderr."""
    for number, trial in enumerate(trials, 1):
        err().print(f"[{number}/{total}] {trial.task}: oracle {trial.oracle}, untouched {trial.nop}", markup=False)
        yield trial


def _clear(folder: Path) -> None:
    """Empty the demo's own folder; LatticeError where it holds something else."""
    if not folder.exists():
        return
    if not folder.is_dir() or not all(_is_ours(path) for path in folder.iterdir()):
        message = f"{folder} holds something that no demo made"
        raise LatticeError(message, hint="name another folder with --out")
    shutil.rmtree(folder)


def _is_ours(path: Path) -> bool:
    return path.name in ("manifest.json", "_progress.jsonl", "_rejected") or (path / "task.toml").is_file()


def _try(folder: Path, row: Row) -> Trial:
    """Judge the solved and the untouched workspace of one task in processes of their own."""
    package = (folder / row["task"]).resolve()
    with tempfile.TemporaryDirectory() as scratch:
        rewards = list(_rewards(package, Path(scratch)))
    return Trial(row["family"], row["seed"], row["operator"], row["task"], *rewards)


def _rewards(package: Path, scratch: Path) -> Iterator[str]:
    for solved in (True, False):
        workspace, written = scratch / f"app-{solved}", scratch / f"logs-{solved}"
        shutil.copytree(package / "environment" / "workspace", workspace)
        if solved:
            _call(["/bin/sh", str(package / "solution" / "solve.sh"), str(workspace)], scratch)
        words = [str(package / "tests" / "verify.py"), "--workspace", str(workspace), "--out", str(written)]
        _call([sys.executable, "-I", "-S", *words], scratch)
        reward = written / "reward.txt"
        yield reward.read_text("utf-8").strip() if reward.is_file() else "none"


def _call(command: list[str], folder: Path) -> None:
    environment = {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin"}
    subprocess.run(  # noqa: S603 - our own scripts, absolute paths
        command, cwd=folder, env=environment, capture_output=True, timeout=VERIFY_SECONDS, check=False
    )


def _report(trials: list[Trial], folder: Path, wanted: int) -> int:
    table = Table("family", "seed", "operator", "task", "oracle", "untouched", title="every task, judged by itself")
    for trial in trials:
        table.add_row(trial.family, trial.seed, trial.operator, trial.task, trial.oracle, trial.nop)
    out().print(table)
    oracles = sum(trial.oracle == "1.0" for trial in trials)
    nops = sum(trial.nop == "0.0" for trial in trials)
    families = {trial.family for trial in trials}
    seeds = {trial.seed for trial in trials}
    count = len(trials)
    out().print(
        f"{count} tasks of {len(families)} families from {len(seeds)} seeds in {folder}: "
        f"{oracles} oracles earned 1, {nops} untouched papers earned 0"
    )
    whole = count == wanted and oracles == nops == count and len(families) > 1 and len(seeds) >= LEAST_SEEDS
    return int(not whole)
