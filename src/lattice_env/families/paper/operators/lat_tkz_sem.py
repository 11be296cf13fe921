"""LAT-TKZ-SEM: a path of a picture has lost its semicolon."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.verifier.latex import environments
from lattice_env.verifier.selftests import Replacement

_SEMICOLON = re.compile(r";(?=\s*(?:[\\}]|\Z))")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every semicolon in a `tikzpicture` that a command or a brace follows, or the end."""
    for document in paper.tex:
        code = body(document)
        for picture in environments(code):
            if picture.name == "tikzpicture":
                for match in _SEMICOLON.finditer(code, picture.body, picture.body_end):
                    yield Mutation((Replacement(document.path, match.start(), match.start() + 1, ""),))


OPERATOR = Operator(
    code="LAT-TKZ-SEM",
    family=BUILD_REPAIR,
    tier=2,
    category="C7 missing or malformed argument",
    summary="A path of a picture has lost its semicolon.",
    sites=sites,
    example=Example(
        "\\begin{tikzpicture}\n\\draw (0,0) -- (1,0);\n\\end{tikzpicture}\n",
        "\\begin{tikzpicture}\n\\draw (0,0) -- (1,0)\n\\end{tikzpicture}\n",
        "\\begin{tikzpicture}\n% \\draw (0,0);\n\\node {a; b}\n\\end{tikzpicture} a; \\emph{b}\n",
    ),
    diagnostic=r"^Package tikz Error: Giving up on this path",
)
