"""LAT-TAB-OMT: something stands in a cell before its `\\multicolumn`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.families.paper.tables import Cell, Table, rows, tables
from lattice_env.verifier.selftests import Replacement

FONTS = (r"\bfseries ", r"\itshape ", r"\small ")
_SPAN = re.compile(r"\s*\\multicolumn(?![A-Za-z@])")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every `\\multicolumn`: its `&` dropped where the cell before holds something, else a font put before it."""
    turn = 0
    for document in paper.tex:
        code = body(document)
        for table in tables(code):
            for cell, before in _spans(code, table):
                start, font = cell.end - len(code[cell.start : cell.end].lstrip()), FONTS[turn % len(FONTS)]
                edit = (cell.start - 1, cell.start, "") if before else (start, start, font)
                turn += not before
                yield Mutation((Replacement(document.path, *edit),))


def _spans(code: str, table: Table) -> Iterator[tuple[Cell, str]]:
    """Every cell that begins with `\\multicolumn`, and what stands in the cell before it in its row."""
    for row in rows(code, table):
        for before, cell in pairwise([None, *row.cells]):
            if cell and _SPAN.match(code, cell.start):
                yield cell, code[before.start : before.end].strip() if before else ""


OPERATOR = Operator(
    code="LAT-TAB-OMT",
    family=BUILD_REPAIR,
    tier=2,
    category="C11 table / alignment",
    summary="Something stands in a cell before its `\\multicolumn`.",
    sites=sites,
    example=Example(
        "\\begin{tabular}{lrr}\n  a & \\multicolumn{2}{c}{b} \\\\\n\\end{tabular}\n",
        "\\begin{tabular}{lrr}\n  a  \\multicolumn{2}{c}{b} \\\\\n\\end{tabular}\n",
        "\\begin{tabular}{lr}\n  a & b \\\\\n  % \\multicolumn{2}{c}{b} \\\\\n\\end{tabular}\n\\multicolumn{2}{c}{b}\n",
    ),
    diagnostic=r"^Misplaced \\omit",
)
