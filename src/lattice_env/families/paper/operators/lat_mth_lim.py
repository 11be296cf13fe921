"""LAT-MTH-LIM: an ordinary symbol has limits."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.families.paper.scripts import scripts
from lattice_env.verifier.selftests import Replacement

_BASE = re.compile(r"(?:(?<![\\A-Za-z@])[A-Z]|\\math(?:bb|cal|bf|rm|sf)\s*\{[A-Za-z]+\})\Z")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Before every subscript in braces of a capital letter or of an alphabet such as `\\mathbb`."""
    for document in paper.tex:
        code = body(document)
        for script in scripts(code, 0, len(code)):
            braces = script.kind == "_" and code.startswith("{", script.start + 1)
            if braces and _BASE.search(code, max(script.start - 40, 0), script.start):
                yield Mutation((Replacement(document.path, script.start, script.start, r"\limits"),))


OPERATOR = Operator(
    code="LAT-MTH-LIM",
    family=BUILD_REPAIR,
    tier=2,
    category="C12 scripts and math syntax",
    summary="An ordinary symbol has limits.",
    sites=sites,
    example=Example(
        r"$E_{x} + \mathbb{P}_{y}$", r"$E\limits_{x} + \mathbb{P}_{y}$", "% $E_{x}$\n$\\sum_{x} e_{x} \\R_{x} E_x$"
    ),
    diagnostic=r"^Limit controls must follow a math operator",
)
