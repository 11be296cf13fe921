"""LAT-TAB-XTR: a row of a table has a cell too many."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.verifier.latex import Environment, environments, group_end
from lattice_env.verifier.selftests import Replacement

_WIDTH_FIRST = ("tabular*", "tabularx", "tabulary")
_TABLES = ("tabular", "longtable", "array", *_WIDTH_FIRST)
_COLUMN = re.compile(
    r"\s+|\|+|(?P<aside>[@!<>])|(?P<times>\*\s*\{(\d+)\})|(?P<wide>[pmb])|(?P<plain>[lcrSX](?:\[[^\]]*\])?)"
)
_MARK = re.compile(r"\\multicolumn\s*\{\s*(?P<span>\d+)\s*\}|(?P<row>\\\\|\\tabularnewline)|\\.|[{}]|&", re.DOTALL)


def sites(paper: Paper) -> Iterator[Mutation]:
    """The end of every full row, in tables whose columns can be counted and that hold no other table."""
    for document in paper.tex:
        code = body(document)
        found = [e for e in environments(code) if e.name in _TABLES]
        for table in found:
            rows = _specification(code, table)
            if rows is None or any(table.begin < other.begin < table.end for other in found):
                continue
            columns, start = rows
            for cells, end in _rows(code, start, table.body_end):
                if cells == columns:
                    yield Mutation((Replacement(document.path, end, end, "& "),))


def _specification(code: str, table: Environment) -> tuple[int, int] | None:
    """How many columns a table has, and where its rows begin; None where that cannot be told."""
    start = position = table.body
    for _ in range(1 + (table.name in _WIDTH_FIRST)):
        gap = re.compile(r"\s*(?:\[[^\]]*\])?\s*").match(code, position)
        position = gap.end() if gap else position
        end = group_end(code, position) if code.startswith("{", position) else None
        if end is None:
            return None
        start, position = position, end
    columns = _columns(code[start + 1 : position - 1])
    return (columns, position) if columns else None


def _columns(text: str) -> int | None:
    """The number of columns that a column specification names."""
    count, position = 0, 0
    while position < len(text):
        match = _COLUMN.match(text, position)
        if match is None:
            return None
        position = match.end()
        if match["plain"]:
            count += 1
        if match["aside"] or match["wide"] or match["times"]:
            end = group_end(text, position) if text.startswith("{", position) else None
            if end is None:
                return None
            each = _columns(text[position + 1 : end - 1]) if match["times"] else 1
            if each is None:
                return None
            count += each * int(match[3]) if match["times"] else bool(match["wide"])
            position = end
    return count


def _rows(code: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """How many columns each row fills that ends in `\\\\`, and where that stands."""
    depth, cells = 0, 1
    for match in _MARK.finditer(code, start, stop):
        depth += (match[0] == "{") - (match[0] == "}")
        if depth == 0 and match["row"]:
            yield cells, match.start()
            cells = 1
        elif depth == 0 and match["span"]:
            cells += int(match["span"]) - 1
        elif depth == 0 and match[0] == "&":
            cells += 1


OPERATOR = Operator(
    code="LAT-TAB-XTR",
    family=BUILD_REPAIR,
    tier=2,
    category="C11 table / alignment",
    summary="A row of a table has a cell too many.",
    sites=sites,
    example=Example(
        "\\begin{tabular}{lr}\n  a & b \\\\\n\\end{tabular}\n",
        "\\begin{tabular}{lr}\n  a & b & \\\\\n\\end{tabular}\n",
        "\\begin{tabular}{lrr}\n  a \\& b & c \\\\\n  % a & b & c \\\\\n\\end{tabular}\n",
    ),
    diagnostic=r"^Extra alignment tab has been changed to",
)
