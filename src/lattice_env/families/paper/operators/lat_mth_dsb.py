"""LAT-MTH-DSB: a superscript beside a subscript has become a second subscript."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.families.paper.scripts import partner, scripts
from lattice_env.verifier.selftests import Replacement


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every `^` whose atom also has a `_`, before or behind it."""
    for document in paper.tex:
        code = body(document)
        for script in scripts(code, 0, len(code)):
            other = partner(code, script)
            if other:
                upper = (script if script.kind == "^" else other).start
                yield Mutation((Replacement(document.path, upper, upper + 1, "_"),))


OPERATOR = Operator(
    code="LAT-MTH-DSB",
    family=BUILD_REPAIR,
    tier=2,
    category="C12 scripts and math syntax",
    summary="A superscript beside a subscript has become a second subscript.",
    sites=sites,
    example=Example(r"$\sum_{i=1}^{N} x_i$", r"$\sum_{i=1}_{N} x_i$", r"% $x_1^2$ \verb|x_1^2| $x_1 + y^2$"),
    diagnostic=r"^Double subscript",
)
