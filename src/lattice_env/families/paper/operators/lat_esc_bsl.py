"""LAT-ESC-BSL: a path has a backslash for its slash."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.command_names import is_free
from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.verifier.selftests import Replacement

_PATH = re.compile(
    r"\\(?:includegraphics|input|include|texttt)\s*(?:\[[^\]]*\])?\s*\{[\w./-]*?(/)([A-Za-z]+)[\w./-]*\}"
)


def sites(paper: Paper) -> Iterator[Mutation]:
    """The first slash in every path of a figure, a file or a text in typewriter, where TeX knows no such command."""
    for document in paper.tex:
        for match in _PATH.finditer(body(document)):
            if is_free(match[2], paper):
                yield Mutation((Replacement(document.path, *match.span(1), "\\"),), (f"\\{match[2]}",))


OPERATOR = Operator(
    code="LAT-ESC-BSL",
    family=BUILD_REPAIR,
    tier=1,
    category="C13 special characters / encoding",
    summary="A path has a backslash for its slash.",
    sites=sites,
    example=Example(
        r"\includegraphics{figures/curve.pdf}",
        r"\includegraphics{figures\curve.pdf}",
        r"% \input{a/b} \verb|\input{a/b}| \url{x/y} \input{ab} \input{a/line}",
    ),
    diagnostic=r"^Undefined control sequence",
)
