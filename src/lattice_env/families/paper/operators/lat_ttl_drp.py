"""LAT-TTL-DRP: the title of the paper is commented out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.preamble import loaded
from lattice_env.verifier.latex import Document, group_end
from lattice_env.verifier.selftests import Replacement

_SILENT = {"llncs", "revtex4-2", "revtex4-1", "elsarticle", "acmart", "beamer"}
"""Classes that set a paper without a title."""
_TITLE = re.compile(r"\\title(?![A-Za-z@])\s*(?=\{)")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every `\\title` of a paper with `\\maketitle`, behind a `%`: a title that were deleted could not be guessed."""
    if _SILENT.intersection(loaded(paper)):
        return
    if not any(re.search(r"\\maketitle(?![A-Za-z@])", document.code) for document in paper.tex):
        return
    for document in paper.tex:
        for match in _TITLE.finditer(document.code):
            end = group_end(document.code, match.end())
            if end is not None and _is_alone(document, match.start(), end):
                yield Mutation((Replacement(document.path, match.start(), match.start(), "%"),))


def _is_alone(document: Document, start: int, end: int) -> bool:
    """Whether a command fills one line."""
    first, last = document.line_span(start)
    return end <= last and not (document.text[first:start] + document.text[end:last]).strip()


OPERATOR = Operator(
    code="LAT-TTL-DRP",
    family=BUILD_REPAIR,
    tier=1,
    category="C6 class / preamble",
    summary="The title of the paper is commented out.",
    sites=sites,
    example=Example(
        "\\title{A Paper}\n\\author{B}\n\\maketitle\n",
        "%\\title{A Paper}\n\\author{B}\n\\maketitle\n",
        "% \\title{A}\n\\titlerunning{A}\n\\title{A\n  Paper}\n\\verb|\\title{B}|\n\\maketitle\n",
    ),
    diagnostic=r"^LaTeX Error: No \\title given",
)
