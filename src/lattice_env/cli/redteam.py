"""`lattice-env redteam`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from rich.table import Table
from rich.text import Text

from lattice_env.errors import UsageError
from lattice_env.redteam import Matrix, Shot, attack, matrix_html, matrix_json, task_folders

from .generate import count_workers
from .places import err, store_folder
from .places import out as stdout

MARKS = {"paid": "bold red", "robbed": "bold red", "other": "yellow"}


def redteam(
    tasks: Path,
    *,
    cheat: list[str] | None = None,
    jobs: int | None = None,
    out: Path | None = None,
    json: bool = False,
) -> int:
    """Run the cheats that task packages carry, and their honest twins, and count who was paid.

    Exit code 0 if every cheat earned 0 and every twin kept its score, 1 if one did not.

    Parameters
    ----------
    tasks
        A folder of task folders, or one task folder.
    cheat
        Only this cheat and its twin; repeatable.
    jobs
        Workers side by side; as many as there are cores if not given.
    out
        Where redteam.json and redteam.html are written.
    json
        Print JSON instead of a table.
    """
    workers = count_workers(jobs)
    folders = task_folders(tasks)
    matrix = attack(folders, names=cheat or (), store=store_folder(), jobs=workers, report=_report)
    if out:
        _write(matrix, out)
    if json:
        print(matrix_json(matrix), end="")
    else:
        stdout().print(_table(matrix))
    return int(matrix.broken)


def _report(shots: Sequence[Shot], done: int, total: int) -> None:
    wrong = [shot for shot in shots if not shot.held]
    task = shots[0].task if shots else "no cheat applies"
    err().print(f"[{done}/{total}] {task}: {len(shots)} submitted, {len(wrong)} not as they must be", markup=False)
    for shot in wrong:
        kind, reasons = "twin of " * shot.twin, ", ".join(shot.codes) or "no reason"
        err().print(f"  {kind}{shot.cheat}: reward {shot.reward:.3g} ({reasons})", markup=False)


def _write(matrix: Matrix, folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "redteam.json").write_text(matrix_json(matrix), "utf-8")
        (folder / "redteam.html").write_text(matrix_html(matrix), "utf-8")
    except OSError as error:
        message = f"{folder}: cannot be written: {error.strerror}"
        raise UsageError(message) from error


def _table(matrix: Matrix) -> Table:
    """A line for each cheat and family; the last says what all of them come to."""
    table = Table("cheat", "code", "family", title=f"{matrix.tasks} tasks", show_footer=True)
    for name, count in asdict(matrix.cell()).items():
        table.add_column(name, justify="right", footer=_number(name, count))
    for cheat in matrix.cheats:
        for family in matrix.families:
            counts = asdict(matrix.cell(cheat, family))
            if any(counts.values()):
                words = map(Text, (cheat, matrix.code(cheat), family))
                table.add_row(*words, *(_number(name, count) for name, count in counts.items()))
    return table


def _number(name: str, count: int) -> Text:
    return Text(str(count) if count else "", style=MARKS.get(name, ""))
