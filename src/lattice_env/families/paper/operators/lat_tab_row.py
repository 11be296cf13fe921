"""LAT-TAB-ROW: the `\\\\` between two rows of a table is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.families.paper.tables import RULE, rows, tables
from lattice_env.verifier.selftests import Replacement

_SPAN = re.compile(r"\s*\\multicolumn(?![A-Za-z@])")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every `\\\\` of a table between two rows that have, together, more cells than the table has columns."""
    for document in paper.tex:
        code = body(document)
        for table in tables(code):
            for row, after in pairwise(rows(code, table)):
                between = RULE.match(code, row.after) or _SPAN.match(code, row.after)
                if not between and row.width + after.width - 1 > table.width:
                    start = len(code[: row.end].rstrip(" \t"))
                    yield Mutation((Replacement(document.path, start, row.after, ""),))


OPERATOR = Operator(
    code="LAT-TAB-ROW",
    family=BUILD_REPAIR,
    tier=2,
    category="C11 table / alignment",
    summary="The `\\\\` between two rows of a table is missing.",
    sites=sites,
    example=Example(
        "\\begin{tabular}{lr}\n  a & b \\\\\n  c & d \\\\\n\\end{tabular}\n",
        "\\begin{tabular}{lr}\n  a & b\n  c & d \\\\\n\\end{tabular}\n",
        "\\begin{tabular}{lr}\n  a & b \\\\\n  \\hline\n  % c & d \\\\\n  e & f \\\\\n\\end{tabular}\n",
    ),
    diagnostic=r"^Extra alignment tab has been changed to",
)
