"""LAT-MTH-SBR: a script that has a script has lost its braces."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.families.paper.scripts import partner, scripts
from lattice_env.verifier.selftests import Replacement

_NESTED = re.compile(r"[_^](\{)\s*(?:[A-Za-z0-9]|\\[A-Za-z]+)\s*([_^])")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every script in braces whose first atom has a script of the same kind, or that a partner of that kind follows."""
    for document in paper.tex:
        code = body(document)
        for script in scripts(code, 0, len(code)):
            inner = _NESTED.match(code, script.start, script.end)
            other = partner(code, script)
            if inner and (inner[2] == script.kind or (other and inner.end(2) < script.end)):
                opener = Replacement(document.path, inner.start(1), inner.end(1), "")
                yield Mutation((opener, Replacement(document.path, script.end - 1, script.end, "")))


OPERATOR = Operator(
    code="LAT-MTH-SBR",
    family=BUILD_REPAIR,
    tier=2,
    category="C12 scripts and math syntax",
    summary="A script that has a script has lost its braces.",
    sites=sites,
    example=Example(r"$x_{i_k}$", r"$x_i_k$", "% $x_{i_k}$\n$x_{ij_k} + x_{i^2} + \\verb|x_{i_k}|$"),
    diagnostic=r"^Double (?:sub|super)script",
)
