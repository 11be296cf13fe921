"""TEX-CLS-DRP: the paper names no class."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.preamble import CLASS, cut

_PLAIN = {"", "a4paper", "a5paper", "b5paper", "letterpaper", "legalpaper", "10pt", "11pt", "12pt", "oneside", "final"}
"""Options without which a paper sets the same text: a repair need not guess them."""


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every `\\documentclass` whose options are no more than sizes of paper and type."""
    for document in paper.tex:
        for match in CLASS.finditer(document.code):
            options = {option.strip() for option in (match[1] or "").split(",")}
            if options <= _PLAIN:
                yield Mutation((cut(document, *match.span()),))


OPERATOR = Operator(
    code="TEX-CLS-DRP",
    family=BUILD_REPAIR,
    tier=1,
    category="C6 class / preamble",
    summary="The paper names no class.",
    sites=sites,
    example=Example(
        "\\documentclass[a4paper]{article}\n\\usepackage{amsmath}\n",
        "\\usepackage{amsmath}\n",
        "% \\documentclass{article}\n\\documentclass[twocolumn]{article}\n",
    ),
    diagnostic=r"^LaTeX Error: \\(?:usepackage|RequirePackage) before \\documentclass",
)
