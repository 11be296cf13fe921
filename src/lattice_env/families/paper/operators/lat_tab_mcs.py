"""LAT-TAB-MCS: a cell spans a column too many."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.families.paper.tables import rows, tables
from lattice_env.verifier.selftests import Replacement


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every `\\multicolumn` in a full row of a table."""
    for document in paper.tex:
        code = body(document)
        for table in tables(code):
            for row in rows(code, table):
                for cell in row.cells if row.width == table.width else ():
                    if cell.span_start >= 0:
                        end = cell.span_start + len(str(cell.span))
                        yield Mutation((Replacement(document.path, cell.span_start, end, str(cell.span + 1)),))


OPERATOR = Operator(
    code="LAT-TAB-MCS",
    family=BUILD_REPAIR,
    tier=2,
    category="C11 table / alignment",
    summary="A cell spans a column too many.",
    sites=sites,
    example=Example(
        "\\begin{tabular}{lrr}\n  a & \\multicolumn{2}{c}{b} \\\\\n\\end{tabular}\n",
        "\\begin{tabular}{lrr}\n  a & \\multicolumn{3}{c}{b} \\\\\n\\end{tabular}\n",
        "\\begin{tabular}{lrrr}\n  a & \\multicolumn{2}{c}{b} \\\\\n  % a & \\multicolumn{3}{c}{b}\n\\end{tabular}\n",
    ),
    diagnostic=r"^Extra alignment tab has been changed to",
)
