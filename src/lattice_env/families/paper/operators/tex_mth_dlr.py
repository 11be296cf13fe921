"""TEX-MTH-DLR: the dollar that closes a formula is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.operators.tex_cmd_trp import blank, body
from lattice_env.verifier.latex import environments
from lattice_env.verifier.selftests import Replacement

_DOLLAR = re.compile(r"\\.|\$\$|\$|\n[ \t]*\n", re.DOTALL)


def formulas(code: str) -> Iterator[tuple[int, int]]:
    """From and to of every `$…$`, dollars included; pictures, where a dollar may calculate, are left out."""
    code = blank(code, ((e.begin, e.end) for e in environments(code) if e.name == "tikzpicture"))
    start: int | None = None
    for match in _DOLLAR.finditer(code):
        if match[0] == "$" and start is None:
            start = match.start()
        elif match[0] == "$" and start is not None:
            if code.count("{", start, match.start()) == code.count("}", start, match.start()):
                yield start, match.end()
            start = None
        elif not match[0].strip():
            start = None


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every formula between dollars in the body."""
    for document in paper.tex:
        for _, end in formulas(body(document)):
            yield Mutation((Replacement(document.path, end - 1, end, ""),))


OPERATOR = Operator(
    code="TEX-MTH-DLR",
    family=BUILD_REPAIR,
    tier=1,
    category="C3 math mode delimiters",
    summary="The dollar that closes a formula is missing.",
    sites=sites,
    example=Example(r"Let $x$ be real.", r"Let $x be real.", r"It costs \$4 to \$5. % $x$ \verb|$y$|"),
    diagnostic=(
        r"^Missing \$ inserted|^Extra \}, or forgotten \$|Bad math environment delimiter"
        r"|invalid in math mode|allowed only in (?:math|paragraph) mode"
    ),
)
