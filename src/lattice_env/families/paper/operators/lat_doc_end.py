"""LAT-DOC-END: the paper has no end."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.layout import whole_lines
from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.verifier.selftests import Replacement


def sites(paper: Paper) -> Iterator[Mutation]:
    """The `\\end{document}`, with its line and the blank ones before it."""
    for document in paper.tex:
        match = re.search(r"\\end\s*\{document\}", document.code)
        if document.body_start and match and match.start() >= document.body_start:
            start, end = whole_lines(document, *match.span())
            blank = re.search(r"(?:(?<=\n)[ \t]*\r?\n)*\Z", document.text[:start])
            yield Mutation((Replacement(document.path, blank.start() if blank else start, end, ""),))


OPERATOR = Operator(
    code="LAT-DOC-END",
    family=BUILD_REPAIR,
    tier=1,
    category="C2 environment mismatch / unclosed / unknown",
    summary="The paper has no end.",
    sites=sites,
    example=Example(
        "\\begin{document}\na\n\n\\end{document}\n",
        "\\begin{document}\na\n",
        "\\begin{document}\n\\verb|\\end{document}|\n% \\end{document}\n",
    ),
    diagnostic=r"^Emergency stop|^\*\*\* \(job aborted, no legal \\end found\)",
)
