"""`lattice-env selftest`."""

from __future__ import annotations

import json as json_format
from pathlib import Path

from rich.table import Table
from rich.text import Text

from lattice_env.errors import LatticeError
from lattice_env.packages import read_package
from lattice_env.verifier.entry import check_toolchain
from lattice_env.verifier.selftests import Result, run
from lattice_env.verifier.store import Store
from lattice_env.verifier.verdict import INFRA_ERROR, InfraError

from .places import out, store_folder


def selftest(task: Path, *, json: bool = False) -> int:
    """Run the self-tests of one task: oracle, nop, cheats, their honest twins, probes.

    Exit code 0 if all hold, 1 if one does not.

    Parameters
    ----------
    task
        A task folder.
    json
        Print JSON instead of a table.
    """
    package = read_package(task)
    try:
        check_toolchain(package.tests)
    except InfraError as error:
        raise LatticeError(str(error), hint="run it in the task's own image") from error
    results = list(run(package.spec, package.workspace, package.cases, Store(store_folder())))
    broken = next((result for result in results if result.verdict.status == INFRA_ERROR), None)
    if broken:
        message = f"this machine cannot judge: {broken.explain()}"
        raise LatticeError(message, hint="lattice-env doctor says what is missing")
    if json:
        print(json_format.dumps([_row(result) for result in results], indent=1))
    else:
        out().print(_table(results))
    return int(not all(result.held for result in results))


def _row(result: Result) -> dict[str, object]:
    case, verdict = result.case, result.verdict
    expected = {"low": case.low, "high": case.high, "code": case.code}
    got = {"reward": verdict.reward, "status": verdict.status, "codes": sorted(verdict.codes())}
    return {"name": case.name, "kind": case.kind, "held": result.held, "expected": expected, "got": got}


def _table(results: list[Result]) -> Table:
    table = Table("self-test", "kind", "expected", "reward", "reasons", "held")
    for result in results:
        case, reward = result.case, result.verdict.reward
        wanted = f"{case.low:g}" if case.low == case.high else f"at most {case.high:g}"
        reasons = ", ".join(sorted(result.verdict.codes()))
        shown = "none" if reward is None else f"{reward:.3g}"
        words = (case.name, case.kind, f"{wanted} {case.code}".strip(), shown, reasons)
        table.add_row(*map(Text, words), _word(result))
    return table


def _word(result: Result) -> Text:
    return Text("yes") if result.held else Text("NO", style="bold red")
