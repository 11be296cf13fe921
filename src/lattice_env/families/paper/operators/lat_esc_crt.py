"""LAT-ESC-CRT: a power stands in running text without its dollars."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body, formulas
from lattice_env.verifier.selftests import Replacement

_POWER = re.compile(r"\$([A-Za-z0-9.() ]*[A-Za-z0-9)]\^(?:[A-Za-z0-9*]|\{[A-Za-z0-9+-]+\}))\$")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every formula that is no more than a number or a letter with a power."""
    for document in paper.tex:
        code = body(document)
        for start, end in formulas(code):
            if _POWER.fullmatch(code, start, end):
                dollars = ((start, start + 1), (end - 1, end))
                yield Mutation(tuple(Replacement(document.path, *span, "") for span in dollars))


OPERATOR = Operator(
    code="LAT-ESC-CRT",
    family=BUILD_REPAIR,
    tier=1,
    category="C13 special characters / encoding",
    summary="A power stands in running text without its dollars.",
    sites=sites,
    example=Example(r"about $10^{-3}$ of", r"about 10^{-3} of", r"% $10^3$ \verb|$a^2$| $x_1^2$ \(a^2\) $\alpha^2$"),
    diagnostic=r"^Missing \$ inserted",
)
