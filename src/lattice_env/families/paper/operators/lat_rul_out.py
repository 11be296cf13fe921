"""LAT-RUL-OUT: a rule of a table stands outside of it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.layout import indent, whole_lines
from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.families.paper.tables import tables
from lattice_env.verifier.selftests import Replacement

_LAST = re.compile(r"(?<![A-Za-z@\\])(\\(?:bottomrule|hline))\s*\Z")


def sites(paper: Paper) -> Iterator[Mutation]:
    """The rule that ends a table put behind it, wherever a table ends in one."""
    for document in paper.tex:
        code = body(document)
        for table in tables(code):
            rule = _LAST.search(code, table.start, table.environment.body_end)
            if rule and table.environment.name != "longtable":
                cut = whole_lines(document, *rule.span(1))
                behind = f"\n{indent(document, table.environment.begin)}{rule[1]}"
                place = Replacement(document.path, table.environment.end, table.environment.end, behind)
                yield Mutation((Replacement(document.path, *cut, ""), place))


OPERATOR = Operator(
    code="LAT-RUL-OUT",
    family=BUILD_REPAIR,
    tier=2,
    category="C11 table / alignment",
    summary="A rule of a table stands outside of it.",
    sites=sites,
    example=Example(
        "\\begin{tabular}{lr}\n  a & b \\\\\n  \\bottomrule\n\\end{tabular}\n",
        "\\begin{tabular}{lr}\n  a & b \\\\\n\\end{tabular}\n\\bottomrule\n",
        "\\begin{tabular}{lr}\n  \\toprule\n  a & b \\\\\n  % \\bottomrule\n\\end{tabular}\n",
    ),
    diagnostic=r"^Misplaced \\noalign",
)
