"""LAT-PRE-TXT: text stands in the preamble, where a command has lost its backslash or a comment its sign."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.preamble import preamble
from lattice_env.verifier.latex import Document
from lattice_env.verifier.selftests import Replacement

_COMMAND = re.compile(
    r"^[ \t]*(\\(?:title|author|newcommand|newtheorem|DeclareMathOperator))(?![A-Za-z@])", re.MULTILINE
)
"""What a paper cannot do without: a repair must bring it back."""
_REMARK = re.compile(r"%+[ \t]*(?=[A-Za-z]+[ \t]+[A-Za-z]+)")


def sites(paper: Paper) -> Iterator[Mutation]:
    """The backslash of every such command at the start of a line, and the sign of every remark behind code.

    A remark on a line of its own is left alone: without it, the paper would be whole again.
    """
    for document in paper.tex:
        code = preamble(document)
        spans = [match.span(1) for match in _COMMAND.finditer(code)]
        for start, end in sorted([*spans, *_remarks(document, len(code))]):
            rest = document.text[start:end].lstrip("\\% \t")
            yield Mutation((Replacement(document.path, start, end, rest),))


def _remarks(document: Document, end: int) -> Iterator[tuple[int, int]]:
    for start, _ in document.comment_spans:
        sign = _REMARK.match(document.text, start)
        if sign and start < end and document.code[document.line_span(start)[0] : start].strip():
            yield sign.span()


OPERATOR = Operator(
    code="LAT-PRE-TXT",
    family=BUILD_REPAIR,
    tier=1,
    category="C6 class / preamble",
    summary="Text stands in the preamble, where a command has lost its backslash or a comment its sign.",
    sites=sites,
    example=Example(
        "\\documentclass{article}\n\\title{A Paper}\n\\begin{document}\n",
        "\\documentclass{article}\ntitle{A Paper}\n\\begin{document}\n",
        (
            "\\documentclass{article}\n% Notation of the paper.\n% \\title{A}\n\\usepackage{amsmath}\n"
            "\\begin{document}\n\\title{A} % as it was\n"
        ),
    ),
    diagnostic=r"^LaTeX Error: Missing \\begin\{document\}",
)
