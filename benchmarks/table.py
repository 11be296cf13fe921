"""The table that a run ends with."""

from __future__ import annotations

from collections.abc import Iterable

from rich.table import Table

from .figures import Figure


def table_of(figures: Iterable[Figure]) -> Table:
    """Every figure with its peer, its aim, and whether the aim is met."""
    table = Table("figure", "on", "measured", "peer", "peer's", "ratio", "aim", "", title="ratios to peers of this run")
    for figure in figures:
        table.add_row(*_cells(figure))
    return table


def _cells(figure: Figure) -> tuple[str, ...]:
    measure = figure.measure
    bound = "≥" if measure.at_least else "≤"
    measured, reference = (f"{value:.3g} {measure.unit}" for value in (figure.measured, figure.reference))
    return (
        measure.name,
        figure.subject,
        measured,
        measure.peer,
        reference,
        f"{figure.ratio:.2f}",
        f"{bound} {measure.aim:g}",
        figure.state,
    )
