"""LAT-ALG-UNC: a block of an algorithm is never closed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.layout import whole_lines
from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.verifier.latex import environments
from lattice_env.verifier.selftests import Replacement

_END = re.compile(r"\\(?:End(?:For|If|While|Loop|Function|Procedure)|END(?:FOR|IF|WHILE|LOOP))(?![A-Za-z@])")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every command in an `algorithmic` that closes a block."""
    for document in paper.tex:
        code = body(document)
        for program in environments(code):
            if program.name == "algorithmic":
                for match in _END.finditer(code, program.body, program.body_end):
                    yield Mutation((Replacement(document.path, *whole_lines(document, *match.span()), ""),))


OPERATOR = Operator(
    code="LAT-ALG-UNC",
    family=BUILD_REPAIR,
    tier=2,
    category="C2 environment mismatch / unclosed / unknown",
    summary="A block of an algorithm is never closed.",
    sites=sites,
    example=Example(
        "\\begin{algorithmic}\n  \\For{$i$}\n    \\State a\n  \\EndFor\n\\end{algorithmic}\n",
        "\\begin{algorithmic}\n  \\For{$i$}\n    \\State a\n\\end{algorithmic}\n",
        "\\begin{algorithmic}\n  % \\EndFor\n  \\Ensure\n\\end{algorithmic} \\EndFor\n",
    ),
    diagnostic=r"^Package algorithmicx Error: Some blocks are not closed|\\begin\{ALC@g\} on input line \d+ ended by",
)
