"""Progress of a long run on stderr, and the table that it ends with."""

from __future__ import annotations

import contextlib
from collections.abc import Generator

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from lattice_env.generate.output import is_admitted
from lattice_env.generate.plan import Plan
from lattice_env.generate.run import Report, Totals
from lattice_env.generate.status import seconds_left
from lattice_env.journal import Row


@contextlib.contextmanager
def reporting(console: Console, plan: Plan, workers: int) -> Generator[Report]:
    """A report that draws a bar on a terminal and prints a line a unit elsewhere."""
    rows: list[Row] = []

    def left() -> str:
        seconds = seconds_left(rows, len(plan.units), plan.limit, workers)
        return "" if seconds is None else f", {in_words(seconds)} left"

    if not console.is_terminal:

        def tell(row: Row, done: int, total: int) -> None:
            rows.append(row)
            console.print(f"[{done}/{total}{left()}] {describe(row)}", markup=False)

        yield tell
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        goal = plan.limit or len(plan.units)
        bar = progress.add_task("building the good papers", total=goal)

        def report(row: Row, done: int, total: int) -> None:
            rows.append(row)
            admitted = sum(map(is_admitted, rows))
            text = f"{row['seed']} · {row['operator']}  ({admitted} admitted of {done}, {total} planned{left()})"
            progress.update(bar, completed=admitted if plan.limit else done, description=text)
            if row["failures"]:
                progress.console.print(describe(row), markup=False)

        yield report


def in_words(seconds: float) -> str:
    """A span of time, to the unit that matters."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min" if minutes else f"{rest} s"


def describe(row: Row) -> str:
    """What became of one unit, in a line; why, where it was rejected."""
    head = f"{row['seed']} {row['operator']}: "
    if "reason" in row:
        return head + row["reason"]
    if not row["task"]:
        return head + ("no place" if not row["sites"] else f"none of {row['tried']} mutants kept by the guard")
    if row["failures"]:
        return head + f"rejected {row['task']}: " + "; ".join(row["failures"])
    return head + f"admitted {row['task']} ({row['builds']} builds, {row['seconds']:.1f} s)"


def totals_table(totals: Totals) -> Table:
    """Per operator: tasks admitted and rejected, units without one, builds, seconds per admitted task."""
    table = Table("operator", "family", "tier", title="tasks by operator", show_footer=True)
    for name in ("admitted", "rejected", "no task", "mutants", "builds", "s/admitted"):
        table.add_column(name, justify="right")
    rows = totals.rows
    for operator in sorted({row["operator"] for row in rows}):
        own = [row for row in rows if row["operator"] == operator]
        made = next((row for row in own if row["task"]), {"family": "", "tier": ""})
        table.add_row(operator, made["family"], str(made["tier"]), *_figures(own))
    table.columns[0].footer = f"{len({row['seed'] for row in totals.admitted})} seeds"
    for column, text in zip(table.columns[3:], _figures(list(rows)), strict=True):
        column.footer = text
    return table


def _figures(rows: list[Row]) -> tuple[str, ...]:
    admitted = sum(bool(row["task"] and not row["failures"]) for row in rows)
    rejected = sum(bool(row["task"] and row["failures"]) for row in rows)
    seconds = sum(row["seconds"] for row in rows) / admitted if admitted else 0.0
    counts = (admitted, rejected, len(rows) - admitted - rejected)
    counts += (sum(row["tried"] for row in rows), sum(row["builds"] for row in rows))
    return (*map(str, counts), f"{seconds:.1f}" if admitted else "-")
