"""LAT-MTH-DLM: a `\\left` has lost its delimiter."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.mathematics import fences
from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.verifier.selftests import Replacement

_LEFT = re.compile(r"\\left\s*(\\[A-Za-z]+|\\.|[^\s\\])")
_DELIMITER = re.compile(
    r"\s*(?:[()\[\]|/.<>]|\\(?:[{}|]|(?:[lr]?[vV]ert|[lr](?:angle|brace|brack|floor|ceil|group|moustache)|backslash"
    r"|(?:up|down|updown|Up|Down|Updown)arrow)(?![A-Za-z])))"
)


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every `\\left`, unless what follows its delimiter could be one."""
    for document in paper.tex:
        code = body(document)
        for left, right in fences(code):
            match = _LEFT.match(code, left, right)
            if match and not _DELIMITER.match(code, match.end()):
                yield Mutation((Replacement(document.path, match.start(1), match.end(1), ""),))


OPERATOR = Operator(
    code="LAT-MTH-DLM",
    family=BUILD_REPAIR,
    tier=2,
    category="C3 math mode delimiters",
    summary="A `\\left` has lost its delimiter.",
    sites=sites,
    example=Example(
        r"$\left( a \right)$", r"$\left a \right)$", "% $\\left( a \\right)$\n$\\left( |a| \\right) \\leftarrow b$"
    ),
    diagnostic=r"^Missing delimiter \(\. inserted\)",
)
