"""Progress of a long run on stderr, and the table that it ends with."""

from __future__ import annotations

import contextlib
from collections.abc import Generator

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from lattice_env.generate.output import Row
from lattice_env.generate.plan import Plan
from lattice_env.generate.run import Report, Totals


@contextlib.contextmanager
def reporting(console: Console, plan: Plan) -> Generator[Report]:
    """A report that draws a bar on a terminal and prints a line a unit elsewhere."""
    if not console.is_terminal:
        yield lambda row, done, total: console.print(f"[{done}/{total}] {describe(row)}", markup=False)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        goal = plan.limit or len(plan.units)
        bar = progress.add_task("building the good papers", total=goal)
        admitted = 0

        def report(row: Row, done: int, total: int) -> None:
            nonlocal admitted
            admitted += bool(row["task"] and not row["failures"])
            text = f"{row['seed']} · {row['operator']}  ({admitted} admitted of {done}, {total} planned)"
            progress.update(bar, completed=admitted if plan.limit else done, description=text)
            if row["failures"]:
                progress.console.print(describe(row), markup=False)

        yield report


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
