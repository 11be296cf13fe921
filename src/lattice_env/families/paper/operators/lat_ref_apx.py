"""LAT-REF-APX: the appendices are numbered as sections of the paper."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.lines import taken_out
from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.verifier.latex import commands

_WHAT_FOLLOWS = re.compile(r"\\(?:chapter|section|input|include)\s*\{")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every `\\appendix` that a section or a file follows."""
    for document in paper.tex:
        code = body(document)
        for match in commands(code, "appendix"):
            if _WHAT_FOLLOWS.search(code, match.end()):
                yield Mutation((taken_out(document, match.start(), match.end()),))


OPERATOR = Operator(
    code="LAT-REF-APX",
    family=REFERENCE_HYGIENE,
    tier=1,
    category="C17 reference / citation",
    summary="The command that begins the appendices is lost.",
    sites=sites,
    example=Example(
        "A.\n\n\\appendix\n\\section{B}\n",
        "A.\n\n\\section{B}\n",
        "The \\verb|\\appendix| command. % \\appendix\n\\begin{appendix}\\section{B}\\end{appendix}\\appendix\n",
    ),
    changes=("labels", "links", "text"),
)
