"""LAT-MTH-BLK: a display has a blank line in it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.mathematics import displays, outermost
from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.verifier.selftests import Replacement

_WAITED = re.compile(r"\s*[{\[]")


def sites(paper: Paper) -> Iterator[Mutation]:
    """The end of every line of a display; where a command may wait for its argument there is none."""
    for document in paper.tex:
        code = body(document)
        for display in displays(code):
            for token in outermost(code, display.body, display.body_end):
                if token[0] == "\n" and not _WAITED.match(code, token.end()):
                    yield Mutation((Replacement(document.path, token.start(), token.start(), "\n"),))


OPERATOR = Operator(
    code="LAT-MTH-BLK",
    family=BUILD_REPAIR,
    tier=1,
    category="C3 math mode delimiters",
    summary="A display has a blank line in it.",
    sites=sites,
    example=Example(
        "\\begin{equation}\n  x\n\\end{equation}\n",
        "\\begin{equation}\n\n  x\n\\end{equation}\n",
        "% \\[\n\\begin{equation} \\frac{1}\n {2} \\end{equation}\n\\begin{verbatim}\n\\[\n\\]\n\\end{verbatim}\n",
    ),
    diagnostic=(r"^Missing \$ inserted|^Paragraph ended before \\(?:align|gather|multline|flalign|alignat|split)\b"),
)
