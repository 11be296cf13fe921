"""LAT-TAB-SPC: a letter in the specification of a table names no kind of column."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.families.paper.tables import tables
from lattice_env.verifier.selftests import Replacement

NEIGHBOURS = {"l": "k", "c": "v", "r": "t"}
"""The key beside the right one."""
_NEW = re.compile(r"\\newcolumntype\s*\{(\w)\}")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every `l`, `c` and `r` of a specification; the letter beside it must not be a column type of the paper."""
    taken = {match[1] for document in paper.tex for match in _NEW.finditer(document.code)}
    for document in paper.tex:
        for table in tables(body(document)):
            for column in table.columns:
                typo = NEIGHBOURS.get(column.letter, "")
                if typo and typo not in taken:
                    yield Mutation((Replacement(document.path, column.start, column.end, typo),))


OPERATOR = Operator(
    code="LAT-TAB-SPC",
    family=BUILD_REPAIR,
    tier=1,
    category="C11 table / alignment",
    summary="A letter in the specification of a table names no kind of column.",
    sites=sites,
    example=Example(
        r"\begin{tabular}{lr}a & b\end{tabular}",
        r"\begin{tabular}{kr}a & b\end{tabular}",
        "% \\begin{tabular}{lr}a\\end{tabular}\n\\begin{tabular}{p{1cm}}a\\end{tabular} \\verb|\\begin{tabular}{l}|",
    ),
    diagnostic=r"Illegal pream-token|Illegal character in array arg",
)
