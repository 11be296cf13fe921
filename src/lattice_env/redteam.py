"""The red team: the cheats and honest twins that packages carry, run where the packages are, and counted."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, astuple, dataclass, fields
from functools import cache
from pathlib import Path

from lattice_env.errors import LatticeError, UsageError
from lattice_env.executors import in_order, open_executor
from lattice_env.packages import read_package
from lattice_env.verifier.selftests import Case, Result, run
from lattice_env.verifier.store import Store
from lattice_env.verifier.verdict import INFRA_ERROR

TWIN = "-twin"
"""The twin of the cheat `NAME` is the case `NAME-twin`."""

COUNTS = {
    "tried": "attacks submitted",
    "caught": "attacks that earned 0 for the stated reason",
    "other": "attacks that earned 0, for other reasons only",
    "paid": "attacks that earned more than 0",
    "kept": "honest twins that kept their score",
    "robbed": "honest twins that did not",
}


@dataclass(frozen=True)
class Shot:
    """What became of one cheat, or of one twin, on one task."""

    task: str
    family: str
    operator: str
    cheat: str
    """The cheat's name; a twin has the name of its cheat."""
    twin: bool
    code: str
    """What had to be among the reasons; empty for a twin."""
    held: bool
    reward: float
    codes: tuple[str, ...]

    def count(self) -> Cell:
        """What this shot alone comes to."""
        if self.twin:
            return Cell(kept=int(self.held), robbed=int(not self.held))
        paid = self.reward > 0
        caught = not paid and self.code in self.codes
        return Cell(1, int(caught), int(not paid and not caught), int(paid))


@dataclass(frozen=True)
class Cell:
    """How one cheat fared against one family; `COUNTS` says what each number is."""

    tried: int = 0
    caught: int = 0
    other: int = 0
    paid: int = 0
    kept: int = 0
    robbed: int = 0

    def __add__(self, cell: Cell) -> Cell:
        return Cell(*(a + b for a, b in zip(astuple(self), astuple(cell), strict=True)))


@dataclass(frozen=True)
class Matrix:
    """All shots of a run, and what they come to."""

    shots: tuple[Shot, ...]

    @property
    def cheats(self) -> list[str]:
        """The cheats that were tried, or whose twins were, by name."""
        return sorted({shot.cheat for shot in self.shots})

    @property
    def families(self) -> list[str]:
        """The families that were attacked, by name."""
        return sorted({shot.family for shot in self.shots})

    @property
    def tasks(self) -> int:
        """How many tasks were attacked."""
        return len({shot.task for shot in self.shots})

    def cell(self, cheat: str | None = None, family: str | None = None) -> Cell:
        """The counts of one cheat against one family; of all of them where it is None."""
        chosen = (s for s in self.shots if cheat in (None, s.cheat) and family in (None, s.family))
        return sum((shot.count() for shot in chosen), Cell())

    def code(self, cheat: str) -> str:
        """The reason for which a cheat has to be refused."""
        return next((shot.code for shot in self.shots if shot.cheat == cheat and not shot.twin), "")

    @property
    def broken(self) -> bool:
        """Whether any cheat was paid or any twin robbed."""
        total = self.cell()
        return bool(total.paid or total.robbed)

    @property
    def remarkable(self) -> list[Shot]:
        """The shots that did not go as they must: paid, caught for another reason, robbed."""
        return [shot for shot in self.shots if not shot.held]


def task_folders(tasks: Path) -> list[Path]:
    """The task folders in `tasks`, or `tasks` itself if it is one; UsageError where there is none."""
    if _is_task(tasks):
        return [tasks]
    found = sorted(place for place in tasks.iterdir() if _is_task(place)) if tasks.is_dir() else []
    if not found:
        message = f"{tasks}: no task folder"
        raise UsageError(message, hint="lattice-env generate makes task folders")
    return found


def _is_task(folder: Path) -> bool:
    return (folder / "tests" / "task.json").is_file()


def cheat_of(case: Case) -> str:
    """The name of the cheat that a case is, or is the twin of."""
    return case.name.removesuffix(TWIN) if case.kind == "twin" else case.name


def fire(folder: Path, store: Path | None, names: Collection[str]) -> list[Shot]:
    """Every cheat of one package, and every twin, or those of `names` if there are any.

    Raises PackageError for a package that is not whole, LatticeError where the machine cannot judge.
    """
    package = read_package(folder)
    cases = [case for case in package.cases if case.kind in ("cheat", "twin")]
    chosen = [case for case in cases if not names or cheat_of(case) in names]
    results = run(package.spec, package.workspace, chosen, _store(store))
    return [_shot(folder.name, package.spec.family, package.spec.operator, result) for result in results]


@cache
def _store(folder: Path | None) -> Store:
    return Store(folder)


def _shot(task: str, family: str, operator: str, result: Result) -> Shot:
    case, verdict = result.case, result.verdict
    if verdict.status == INFRA_ERROR or verdict.reward is None:
        message = f"this machine cannot judge: {result.explain()}"
        raise LatticeError(message, hint="lattice-env doctor says what is missing")
    codes = tuple(sorted(verdict.codes()))
    twin = case.kind == "twin"
    return Shot(task, family, operator, cheat_of(case), twin, case.code, result.held, verdict.reward, codes)


Report = Callable[[Sequence[Shot], int, int], None]
"""Told of each task that is done: its shots, how many tasks are done, how many there are."""


def attack(
    folders: Sequence[Path], *, names: Collection[str] = (), store: Path | None, jobs: int, report: Report
) -> Matrix:
    """The matrix over all `folders`, in their order for any number of jobs.

    Raises UsageError for a name in `names` that no package has a cheat of, and what `fire` raises.
    """
    shots: list[Shot] = []
    for done, found in enumerate(_volleys(folders, names, store, jobs), 1):
        shots += found
        report(found, done, len(folders))
    unknown = sorted(set(names) - {shot.cheat for shot in shots})
    if unknown:
        message = f"no task has a cheat called {', '.join(unknown)}"
        raise UsageError(message)
    return Matrix(tuple(shots))


def _volleys(folders: Sequence[Path], names: Collection[str], store: Path | None, jobs: int) -> Iterator[list[Shot]]:
    if jobs == 1 or len(folders) == 1:
        yield from (fire(folder, store, names) for folder in folders)
        return
    with open_executor("process", jobs=min(jobs, len(folders))) as executor:
        yield from in_order(executor, fire, ((folder, store, names) for folder in folders))


def matrix_json(matrix: Matrix) -> str:
    """The matrix as JSON, ending in a newline: every cheat against every family, and all that went wrong."""
    rows = [
        {
            "cheat": cheat,
            "code": matrix.code(cheat),
            "families": {family: asdict(matrix.cell(cheat, family)) for family in matrix.families},
        }
        for cheat in matrix.cheats
    ]
    body = {
        "format": 1,
        "tasks": matrix.tasks,
        "total": asdict(matrix.cell()),
        "cheats": rows,
        "remarkable": [asdict(shot) for shot in matrix.remarkable],
    }
    return json.dumps(body, indent=1, sort_keys=True) + "\n"


_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; color: #222; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { border-bottom: 1px solid #ddd; padding: .2rem .7rem; text-align: left; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
.wrong { background: #fbdcdc; font-weight: 600; }
.odd { background: #fdf3d0; }
"""
_MARKS = {"paid": "wrong", "robbed": "wrong", "other": "odd"}


def matrix_html(matrix: Matrix) -> str:
    """The matrix as one page that needs nothing else; red where a cheat was paid or a twin robbed."""
    names = [field.name for field in fields(Cell)]
    families = "".join(f'<th colspan="{len(names)}">{html.escape(family)}</th>' for family in matrix.families)
    heads = "".join(f'<th class="number" title="{COUNTS[name]}">{name}</th>' for name in names)
    rows = "\n".join(_row(matrix, cheat, names) for cheat in matrix.cheats)
    legend = "".join(f"<li><b>{name}</b>: {text}</li>" for name, text in COUNTS.items())
    wrong = "\n".join(_remark(shot) for shot in matrix.remarkable)
    told = "<tr><th>task</th><th>operator</th><th>cheat</th><th>expected</th><th>reward</th><th>reasons</th></tr>"
    remarks = f"<h2>Not as it must be</h2>\n<table>\n{told}\n{wrong}\n</table>" if wrong else ""
    verdict = "A cheat was paid or a twin robbed." if matrix.broken else "No cheat was paid, no twin robbed."
    return f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Red team</title>
<style>{_STYLE}</style>
<h1>Red team</h1>
<p>{matrix.tasks} tasks, {matrix.cell().tried} attacks. {verdict}</p>
<ul>{legend}</ul>
<table>
<tr><th></th><th></th>{families}</tr>
<tr><th>cheat</th><th>code</th>{heads * len(matrix.families)}</tr>
{rows}
</table>
{remarks}
</html>
"""


def _row(matrix: Matrix, cheat: str, names: Iterable[str]) -> str:
    cells = [(name, getattr(matrix.cell(cheat, family), name)) for family in matrix.families for name in names]
    shown = "".join(f'<td class="number {_MARKS.get(name, "") if n else ""}">{n or ""}</td>' for name, n in cells)
    return f"<tr><td>{html.escape(cheat)}</td><td>{html.escape(matrix.code(cheat))}</td>{shown}</tr>"


def _remark(shot: Shot) -> str:
    expected = "its score" if shot.twin else f"0 with {shot.code}"
    name = shot.cheat + TWIN if shot.twin else shot.cheat
    words = (shot.task, shot.operator, name, expected, f"{shot.reward:.3g}", ", ".join(shot.codes))
    return "<tr>" + "".join(f"<td>{html.escape(word)}</td>" for word in words) + "</tr>"
