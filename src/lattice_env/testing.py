"""The contract that every family keeps, as a test that any family passes in three lines.

::

    from lattice_env.testing import check_family
    def test_my_family_keeps_the_contract(seed, tmp_path):
        check_family(MY_FAMILY, seed, "salt", tmp_path)
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from lattice_env.model import Family, Files, Seed, Task
from lattice_env.packages import write_package
from lattice_env.verifier.judge import verify
from lattice_env.verifier.selftests import Case, Result
from lattice_env.verifier.spec import TaskSpec
from lattice_env.verifier.store import Store
from lattice_env.verifier.verdict import INFRA_ERROR, REJECTED, Verdict

LEAST_LEAK = 24
"""Characters of a reference repair that are too many to stand in the agent's view by chance."""

_STANDARD_ONLY = """
import sys
sys.path.insert(0, sys.argv[1])
import lattice_verifier.entry
import lattice_verifier.selftests
own = {name for name in sys.modules if name.split(".")[0] == "lattice_verifier"}
print(*sorted({name.split(".")[0] for name in sys.modules.keys() - own} - set(sys.stdlib_module_names) - {"__main__"}))
"""


class ContractError(AssertionError):
    """A family broke a law of the contract; the message is the law."""


def check_family[D: Seed, S: TaskSpec](
    family: Family[D, S], seed: D, salt: str, scratch: Path, *, store: Store | None = None
) -> Task[S]:
    """Hold a family to the contract on its first task from `seed`; that task, or ContractError with the law.

    `scratch` is an empty folder for a package; `store` saves builds over several calls.
    """
    store = store or Store()
    task = _first(family, seed, salt, store)
    _law(_first(family, seed, salt, store) == task, "the same seed, salt and family must make the same task")
    _law(family.selftests(task) == task.cases, "a task must carry the self-tests that its family gives it")
    _check_rewards(family, task)
    _check_secrecy(task)
    _check_cases(task, store)
    package = scratch / task.name
    write_package(task, package)
    _check_package(family, task, package, scratch)
    return task


def _law(holds: bool, text: str) -> None:  # noqa: FBT001 - reads as a sentence
    if not holds:
        raise ContractError(text)


def _first[D: Seed, S: TaskSpec](family: Family[D, S], seed: D, salt: str, store: Store) -> Task[S]:
    task = next(family.make(seed, salt, store), None)
    _law(task is not None, f"{family.name} must make at least one task of {seed.name}")
    assert task is not None  # noqa: S101 - the law above, for the type checker
    return task


def _check_rewards[D: Seed, S: TaskSpec](family: Family[D, S], task: Task[S]) -> None:
    """Solution 1; start, an empty folder and garbage 0; the order of files is nothing."""
    solved = {**task.start, **task.solution}
    verdict = family.verify(task.spec, solved)
    _law(verdict.reward == 1, f"the solution must earn 1, not {verdict.reward}: {sorted(verdict.codes())}")
    garbage: Files = dict.fromkeys(task.start, b"\xff\x00garbage\\")
    bad = {"start": task.start, "an empty folder": {}, "garbage": garbage}
    for name, files in bad.items():
        verdict = family.verify(task.spec, files)
        _law(verdict.status == REJECTED, f"{name} must be judged and rejected, not {verdict.status}")
        _law(verdict.reward == 0, f"{name} must earn 0, not {verdict.reward}")
        backwards = dict(reversed(list(files.items())))
        _law(family.verify(task.spec, backwards).to_json() == verdict.to_json(), "file order must not matter")


def _check_secrecy(task: Task[TaskSpec]) -> None:
    """The solution is nowhere in what the agent is shown."""
    shown = [task.instruction.encode(), *task.start.values()]
    for path, data in task.solution.items():
        _law(task.start[path] == data or data not in shown, f"the solution of {path} must not be shown")
    for edit in task.repair:
        new = edit.new.encode()
        _law(len(new) < LEAST_LEAK or new not in task.instruction.encode(), "the instruction must not tell the repair")
    _law(task.operator not in task.instruction, "the instruction must not name the operator")
    _law(task.operator.lower() not in task.name, "the task's name must not name the operator")


def _check_cases(task: Task[TaskSpec], store: Store) -> None:
    """Every self-test holds: each cheat 0 for its code, each twin at its score."""
    for case in task.cases:
        result = Result(case, verify(task.spec, case.submission(task.start), store))
        _law(result.held, f"self-tests must hold: {result.explain()}")


def _check_package[D: Seed, S: TaskSpec](family: Family[D, S], task: Task[S], package: Path, scratch: Path) -> None:
    """The packaged verifier agrees byte for byte under `python3 -I -S`, and imports only the standard library."""
    tests = package / "tests"
    imported = _python("-c", _STANDARD_ONLY, str(tests)).stdout.strip()
    _law(not imported, f"the verifier must import nothing but the standard library: {imported}")
    for path in sorted(tests.rglob("*")):
        _law(path.is_dir() or b"\0" not in path.read_bytes(), f"tests must hold text only: {path.name}")
    nop, oracle = Case("nop", "nop", 0, 0), Case("oracle", "oracle", 1, 1, edits=task.repair)
    for case in (nop, oracle):
        workspace = scratch / f"workspace-{case.name}"
        write_workspace(case.files(task.start), workspace)
        done = _python(str(tests / "verify.py"), "--workspace", str(workspace), "--json")
        ours = family.verify(task.spec, case.files(task.start))
        _law(
            done.stdout == ours.to_json(),
            f"the packaged verifier must agree byte for byte on {case.name}: {_said(ours)}",
        )
        shutil.rmtree(workspace)


def _said(verdict: Verdict) -> str:
    return verdict.status if verdict.status != INFRA_ERROR else str(verdict.facts.get("error"))


def write_workspace(files: Files, folder: Path) -> None:
    """Write files as a workspace of their own."""
    for path, data in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


def _python(*words: str) -> subprocess.CompletedProcess[str]:
    """Run Python with nothing but its standard library and an empty environment."""
    command = [sys.executable, "-I", "-S", "-B", *words]
    return subprocess.run(  # noqa: S603 - our own interpreter
        command, capture_output=True, text=True, env={}, cwd="/", timeout=300, check=False
    )
