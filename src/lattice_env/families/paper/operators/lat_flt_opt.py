"""LAT-FLT-OPT: a letter that places a float is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.verifier.selftests import Replacement

NEIGHBOURS = {"t": "r", "h": "g", "b": "v", "p": "o"}
"""The key beside the right one."""
_PLACEMENT = re.compile(r"\\begin\s*\{(?:figure|table|algorithm)\*?\}\s*\[([!htbp]+)\]")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every letter in the placement of a float."""
    for document in paper.tex:
        for match in _PLACEMENT.finditer(body(document)):
            for letter in re.finditer(f"[{''.join(NEIGHBOURS)}]", match[1]):
                start = match.start(1) + letter.start()
                yield Mutation((Replacement(document.path, start, start + 1, NEIGHBOURS[letter[0]]),))


OPERATOR = Operator(
    code="LAT-FLT-OPT",
    family=BUILD_REPAIR,
    tier=1,
    category="C16 float / caption",
    summary="A letter that places a float is wrong.",
    sites=sites,
    example=Example(
        r"\begin{figure}[t]", r"\begin{figure}[r]", r"\begin{figure}[H] \begin{minipage}[t]{1cm} % \begin{table}[b]"
    ),
    diagnostic=r"^LaTeX Error: Unknown float option `",
)
