"""LAT-MTH-NST: a formula between dollars stands in a display."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.mathematics import SINGLE, core, displays
from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.verifier.selftests import Replacement


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every display of one formula, which gets dollars as if it stood in the text."""
    for document in paper.tex:
        code = body(document)
        for display in displays(code):
            start, end = core(code, display)
            if display.name in SINGLE and start < end:
                yield Mutation(tuple(Replacement(document.path, place, place, "$") for place in (start, end)))


OPERATOR = Operator(
    code="LAT-MTH-NST",
    family=BUILD_REPAIR,
    tier=2,
    category="C3 math mode delimiters",
    summary="A formula between dollars stands in a display.",
    sites=sites,
    example=Example(
        "\\begin{equation}\\label{a}\n  x = 1,\n\\end{equation}\n",
        "\\begin{equation}\\label{a}\n  $x = 1$,\n\\end{equation}\n",
        "% \\[ x \\]\n\\begin{align}\n  x \\\\[1ex]\n\\end{align}\n",
    ),
    diagnostic=r"^Display math should end with \$\$",
)
