"""LAT-TAB-COL: a table declares a column too few."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.families.paper.tables import Table, rows, tables
from lattice_env.verifier.selftests import Replacement


def sites(paper: Paper) -> Iterator[Mutation]:
    """The last of every run of equal columns, in tables that have a full row."""
    for document in paper.tex:
        code = body(document)
        for table in tables(code):
            if any(row.width == table.width for row in rows(code, table)):
                yield from (Mutation((edit,)) for edit in _dropped(document.path, code, table))


def _dropped(path: str, code: str, table: Table) -> Iterator[Replacement]:
    """The specification without one column, once for every way in which that can be done."""
    for column, follower in zip_longest(table.columns, table.columns[1:]):
        text = code[column.start : column.end]
        same = follower and code[follower.start : follower.end] == text and follower.start == column.end
        if column.letter != "*" and not same:
            yield Replacement(path, column.start, column.end, "")


OPERATOR = Operator(
    code="LAT-TAB-COL",
    family=BUILD_REPAIR,
    tier=2,
    category="C11 table / alignment",
    summary="A table declares a column too few.",
    sites=sites,
    example=Example(
        "\\begin{tabular}{lrr}\n  a & b & c \\\\\n\\end{tabular}\n",
        "\\begin{tabular}{rr}\n  a & b & c \\\\\n\\end{tabular}\n",
        "\\begin{tabular}{lr}\n  a \\\\\n  % a & b \\\\\n\\end{tabular}\n",
    ),
    diagnostic=r"^Extra alignment tab has been changed to",
)
