"""TEX-MTH-DSP: the end of a displayed formula is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.families.paper.preamble import cut

_DISPLAY = re.compile(r"(?<!\\)\\\[.*?(?<!\\)(\\\])|(?<!\\)\$\$.*?(?<!\\)(\$\$)", re.DOTALL)


def sites(paper: Paper) -> Iterator[Mutation]:
    """The end of every `\\[…\\]` and `$$…$$`, with its line where that holds nothing else."""
    for document in paper.tex:
        for match in _DISPLAY.finditer(body(document)):
            yield Mutation((cut(document, *match.span(1 if match[1] else 2)),))


OPERATOR = Operator(
    code="TEX-MTH-DSP",
    family=BUILD_REPAIR,
    tier=1,
    category="C3 math mode delimiters",
    summary="The end of a displayed formula is missing.",
    sites=sites,
    example=Example(
        "\\[\n  x = y\n\\]\nThus $x$ is $y$.\n",
        "\\[\n  x = y\nThus $x$ is $y$.\n",
        (
            "% \\[ x \\]\n\\begin{tabular}{l}\na \\\\[2pt]\nb\n\\end{tabular}\n"
            "\\verb|\\[ x \\]| \\begin{equation} [x] \\end{equation}\n"
        ),
    ),
    diagnostic=(
        r"^Missing \$ inserted|^Display math should end with \$\$|^LaTeX Error: Bad math environment delimiter"
    ),
)
