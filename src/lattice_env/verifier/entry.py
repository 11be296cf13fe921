"""The command lines of a task package: `verify.py` and `selftest.py` hand over to this."""

from __future__ import annotations

import argparse
import hashlib
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from .engines import identity, read_spec
from .intake import read_submission
from .judge import verify
from .selftests import read_cases, run
from .spec import SpecError, TaskSpec
from .store import Store, write_whole
from .toolchain import foreign
from .verdict import INFRA_ERROR, InfraError, Verdict

REWARDS = ("reward.txt", "reward.json", "reward-details.json", "verdict.json")


def verify_main(tests: Path, arguments: Sequence[str]) -> int:
    """Judge a workspace, write the reward; 0 for a verdict, 1 for `infra_error`."""
    parser = argparse.ArgumentParser(prog="verify.py", description="Judge a workspace of this task.")
    parser.add_argument("--workspace", type=Path, default=Path("/app"), help="the submitted folder (/app)")
    parser.add_argument("--out", type=Path, help="where the rewards and verdict.json go")
    parser.add_argument("--json", action="store_true", help="print the whole verdict")
    options = parser.parse_args(arguments)
    verdict = judge_package(tests, options.workspace)
    if options.out:
        try:
            write_reward(verdict, options.out)
        except OSError as error:
            print(f"infra_error: no reward could be written: {error}", file=sys.stderr)
            return 1
    print(verdict.to_json() if options.json else summary(verdict), end="")
    return int(verdict.status == INFRA_ERROR)


def selftest_main(tests: Path, arguments: Sequence[str]) -> int:
    """Run this task's self-tests; 0 if all hold."""
    parser = argparse.ArgumentParser(prog="selftest.py", description="Run this task's self-tests.")
    default = tests.parent / "environment" / "workspace"
    parser.add_argument("--workspace", type=Path, default=default, help="the shipped workspace, untouched")
    options = parser.parse_args(arguments)
    spec = checked_spec(tests)
    check_toolchain(tests)
    workspace = read_submission(options.workspace).files
    failed = 0
    for result in run(spec, workspace, read_cases(tests / "selftests"), Store()):
        failed += not result.held
        print("ok  " if result.held else "FAIL", result.explain())
    return int(failed > 0)


def judge_package(tests: Path, workspace: Path, store: Store | None = None) -> Verdict:
    """The verdict of a package's verifier on a folder.

    A package that is not whole, or that was made for another toolchain, is `infra_error`.
    """
    try:
        spec = checked_spec(tests)
        check_toolchain(tests)
    except (SpecError, InfraError) as error:
        return Verdict(INFRA_ERROR, None, facts={"error": str(error)})
    return verify(spec, read_submission(workspace), store)


def checked_spec(tests: Path) -> TaskSpec:
    """The spec of a package whose every file is what it was when the task was made; else SpecError."""
    spec = read_spec(tests)
    paths = (path for path in tests.rglob("*") if path.is_symlink() or not path.is_dir())
    found = {path.relative_to(tests).as_posix(): path for path in paths}
    found = {name: path for name, path in found.items() if name != "task.json" and "__pycache__" not in name}
    wrong = sorted(found.keys() ^ spec.manifest.keys())
    wrong += [
        name for name, path in sorted(found.items()) if name not in wrong and _sha256(path) != spec.manifest[name]
    ]
    if wrong:
        message = f"{tests}: not as the task was made: {', '.join(wrong[:5])}"
        raise SpecError(message)
    if identity(spec) != spec.task:
        message = f"{tests / 'task.json'}: what it says is not what the task was made of"
        raise SpecError(message)
    return spec


def check_toolchain(tests: Path) -> None:
    """Nothing, where this machine's toolchain may judge the package; else InfraError."""
    try:
        why = foreign(tests)
    except ValueError as error:
        raise SpecError(str(error)) from error
    if why:
        raise InfraError(why)


def _sha256(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        message = f"{path}: {error.strerror}"
        raise SpecError(message) from error


def clear_rewards(out: Path) -> None:
    """Remove whatever stands where rewards are written, be it a file, a link or a folder."""
    for name in REWARDS:
        path = out / name
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


def write_reward(verdict: Verdict, out: Path) -> None:
    """Write the verdict, then the reward, each whole or not at all; no reward for `infra_error`."""
    out.mkdir(parents=True, exist_ok=True)
    clear_rewards(out)
    write_whole(out / "verdict.json", verdict.to_json())
    if verdict.status != INFRA_ERROR:
        write_whole(out / "reward-details.json", verdict.details_json())
        write_whole(out / "reward.json", verdict.reward_json())
        write_whole(out / "reward.txt", f"{verdict.reward!r}\n")


def summary(verdict: Verdict) -> str:
    """The verdict for a person: the status, the reward, every reason on a line of its own."""
    lines = [f"{verdict.status}: reward {'none' if verdict.reward is None else f'{verdict.reward:g}'}"]
    for gate in verdict.gates:
        lines += [f"  gate {gate.name}: {_place(r.file, r.line)}{r.text or r.code}" for r in gate.reasons]
    lines += [f"  red line {r.code}: {_place(r.file, r.line)}{r.text}" for r in verdict.red_lines]
    lines += [f"  {name}: {value:g}" for name, value in verdict.components.items()]
    if "error" in verdict.facts:
        lines.append(f"  {verdict.facts['error']}")
    return "\n".join(lines) + "\n"


def _place(file: str, line: int) -> str:
    return f"{file}:{line}: " if file and line else f"{file}: " if file else ""
