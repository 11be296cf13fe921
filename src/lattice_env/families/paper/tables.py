"""Tables as they stand in the sources: their columns and their rows, where both can be told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lattice_env.verifier.latex import Environment, environments, group_end

_WIDTH_FIRST = ("tabular*", "tabularx", "tabulary")
_TABLES = ("tabular", "longtable", "array", *_WIDTH_FIRST)
_COLUMN = re.compile(
    r"\s+|\|+|(?P<aside>[@!<>])|(?P<times>\*\s*\{(\d+)\})|(?P<wide>[pmb])|(?P<plain>[lcrSX](?:\[[^\]]*\])?)"
)
_MARK = re.compile(
    r"\\multicolumn\s*\{\s*(?P<span>\d+)\s*\}|(?P<row>(?:\\\\\*?|\\tabularnewline)(?:[ \t]*\[[^\]\n]*\])?)|\\.|[{}]|&",
    re.DOTALL,
)
_OPENING = re.compile(
    r"(?:\s*\\(?:hline|toprule|midrule|bottomrule|addlinespace|cmidrule|cline|endfirsthead|endhead|endfoot|endlastfoot)"
    r"(?![A-Za-z@])(?:\s*(?:\[[^\]]*\]|\([^)]*\)))*(?:\s*\{[^{}]*\})?)*"
)
"""Rules and the like before a row."""
RULE = re.compile(r"\s*\\(?:hline|toprule|midrule|bottomrule|cmidrule|cline)(?![A-Za-z@])")
"""A rule between rows, with the white space before it."""


@dataclass(frozen=True)
class Column:
    """One entry of a column specification: from and to, its letter, and for how many columns it stands."""

    start: int
    end: int
    letter: str
    count: int


@dataclass(frozen=True)
class Cell:
    """From and to of a cell, without its `&`; the number that its `\\multicolumn` spans, and where that stands."""

    start: int
    end: int
    span: int
    span_start: int


@dataclass(frozen=True)
class Row:
    """The cells of a row, rules before it left out, and from and to of the `\\\\` that ends it."""

    cells: tuple[Cell, ...]
    end: int
    after: int

    @property
    def width(self) -> int:
        """How many columns the row fills."""
        return sum(cell.span for cell in self.cells)


@dataclass(frozen=True)
class Table:
    """A table that holds no other: its environment, its columns, and where its rows begin."""

    environment: Environment
    columns: tuple[Column, ...]
    start: int

    @property
    def width(self) -> int:
        """How many columns the table has."""
        return sum(column.count for column in self.columns)


def tables(code: str) -> Iterator[Table]:
    """Every table whose columns can be counted and that holds no other table, in order."""
    found = [e for e in environments(code) if e.name in _TABLES]
    for environment in found:
        inner = any(environment.begin < other.begin < environment.end for other in found)
        table = None if inner else _read(code, environment)
        if table and table.columns:
            yield table


def _read(code: str, environment: Environment) -> Table | None:
    """A table with its specification; None where that cannot be read."""
    start = position = environment.body
    for _ in range(1 + (environment.name in _WIDTH_FIRST)):
        gap = re.compile(r"\s*(?:\[[^\]]*\])?\s*").match(code, position)
        position = gap.end() if gap else position
        end = group_end(code, position) if code.startswith("{", position) else None
        if end is None or end > environment.body_end:
            return None
        start, position = position, end
    columns = _columns(code, start + 1, position - 1)
    return None if columns is None else Table(environment, columns, position)


def _columns(code: str, position: int, stop: int) -> tuple[Column, ...] | None:
    """The columns that a column specification names; None for one in a language of its own."""
    found: list[Column] = []
    while position < stop:
        match = _COLUMN.match(code, position, stop)
        if match is None:
            return None
        start, position = position, match.end()
        if match["aside"] or match["wide"] or match["times"]:
            end = group_end(code, position) if code.startswith("{", position) else None
            each = _columns(code, position + 1, end - 1) if end and match["times"] else ()
            if end is None or each is None:
                return None
            count = sum(column.count for column in each) * int(match[3]) if match["times"] else bool(match["wide"])
            position = end
        else:
            count = bool(match["plain"])
        if count:
            found.append(Column(start, position, code[start], count))
    return tuple(found)


def rows(code: str, table: Table) -> Iterator[Row]:
    """Every row that ends in `\\\\`, in order."""
    depth, start, span, place = 0, _row_start(code, table.start), 1, -1
    cells: list[Cell] = []
    for match in _MARK.finditer(code, table.start, table.environment.body_end):
        depth += (match[0] == "{") - (match[0] == "}")
        if depth == 0 and match["span"]:
            span, place = int(match["span"]), match.start("span")
        elif depth == 0 and (match["row"] or match[0] == "&"):
            cells.append(Cell(start, match.start(), span, place))
            start, span, place = match.end(), 1, -1
            if match["row"]:
                yield Row(tuple(cells), match.start(), match.end())
                cells, start = [], _row_start(code, match.end())


def _row_start(code: str, position: int) -> int:
    """The offset behind the rules that stand at `position`."""
    opening = _OPENING.match(code, position)
    return opening.end() if opening else position
