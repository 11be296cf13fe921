"""LAT-TAB-XTR: a row of a table has a cell too many."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.families.paper.tables import rows, tables
from lattice_env.verifier.selftests import Replacement


def sites(paper: Paper) -> Iterator[Mutation]:
    """The end of every full row, in tables whose columns can be counted and that hold no other table."""
    for document in paper.tex:
        code = body(document)
        for table in tables(code):
            for row in rows(code, table):
                if row.width == table.width:
                    yield Mutation((Replacement(document.path, row.end, row.end, "& "),))


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
