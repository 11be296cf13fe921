"""LAT-CND-FI: the end of a conditional is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import blank, definitions
from lattice_env.verifier.selftests import Replacement

_TOKEN = re.compile(r"\\(if(?:false|true|num|dim|odd|x|defined)|fi)(?![A-Za-z@])")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every live `\\fi` outside of definitions, of a conditional that stands in the same file."""
    for document in paper.tex:
        depth = 0
        code = blank(document.only("Ld"), definitions(document.code))
        for match in _TOKEN.finditer(code):
            depth += 1 if match[1] != "fi" else -1
            if match[1] == "fi" and depth >= 0:
                yield Mutation((Replacement(document.path, *match.span(), ""),))
            depth = max(depth, 0)


OPERATOR = Operator(
    code="LAT-CND-FI",
    family=BUILD_REPAIR,
    tier=2,
    category="C1 unbalanced group / brace",
    summary="The end of a conditional is missing.",
    sites=sites,
    example=Example(
        "\\iffalse\nold\n\\fi\nnew\n",
        "\\iffalse\nold\n\nnew\n",
        "% \\iffalse \\fi\n\\fi \\verb|\\iffalse| \\fill $a \\iff b$",
    ),
    diagnostic=r"^Incomplete \\if",
)
