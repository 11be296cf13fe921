"""LAT-DOC-BEG: the body of the paper never begins."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.layout import whole_lines
from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.verifier.selftests import Replacement


def sites(paper: Paper) -> Iterator[Mutation]:
    """The `\\begin{document}`, with its line."""
    for document in paper.tex:
        match = re.search(r"\\begin\s*\{document\}", document.code)
        if match:
            yield Mutation((Replacement(document.path, *whole_lines(document, *match.span()), ""),))


OPERATOR = Operator(
    code="LAT-DOC-BEG",
    family=BUILD_REPAIR,
    tier=1,
    category="C2 environment mismatch / unclosed / unknown",
    summary="The body of the paper never begins.",
    sites=sites,
    example=Example(
        "\\title{T}\n\\begin{document}\na\n\\end{document}\n",
        "\\title{T}\na\n\\end{document}\n",
        "% \\begin{document}\n\\verb|\\begin{document}|\n",
    ),
    diagnostic=r"^LaTeX Error: Missing \\begin\{document\}",
)
