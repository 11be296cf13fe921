"""LAT-TAB-NOA: the row before a rule is not ended."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.families.paper.tables import RULE, rows, tables
from lattice_env.verifier.selftests import Replacement


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every `\\\\` of a table that a rule follows."""
    for document in paper.tex:
        code = body(document)
        for table in tables(code):
            for row in rows(code, table):
                if RULE.match(code, row.after) and code[row.cells[0].start : row.end].strip():
                    start = len(code[: row.end].rstrip(" \t"))
                    yield Mutation((Replacement(document.path, start, row.after, ""),))


OPERATOR = Operator(
    code="LAT-TAB-NOA",
    family=BUILD_REPAIR,
    tier=2,
    category="C11 table / alignment",
    summary="The row before a rule is not ended.",
    sites=sites,
    example=Example(
        "\\begin{tabular}{lr}\n  a & b \\\\\n  \\hline\n\\end{tabular}\n",
        "\\begin{tabular}{lr}\n  a & b\n  \\hline\n\\end{tabular}\n",
        "\\begin{tabular}{lr}\n  a & b \\\\\n  % \\hline\n  c & d\n\\end{tabular}\n\\hline\n",
    ),
    diagnostic=r"^Misplaced \\noalign|^Use of \\@@array doesn't match",
)
