"""LAT-MTH-DSU: a subscript beside a superscript has become a second superscript."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.verifier.latex import group_end
from lattice_env.verifier.selftests import Replacement

_SCRIPT = re.compile(r"\\.|[_^]", re.DOTALL)
_SIMPLE = re.compile(r"\s*(?:[A-Za-z0-9*+-]|\\[A-Za-z]+(?!\s*[\[{A-Za-z]))")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every `_` whose atom also has a `^`, before or behind it."""
    for document in paper.tex:
        for first, second in _pairs(body(document)):
            code = document.text
            lower = first if code[first] == "_" else second
            yield Mutation((Replacement(document.path, lower, lower + 1, "^"),))


def _pairs(code: str) -> Iterator[tuple[int, int]]:
    """Where two scripts of different kinds follow each other on one atom."""
    for match in _SCRIPT.finditer(code):
        if match[0] in "_^" and (end := _script_end(code, match.end())):
            second = end + len(code[end:]) - len(code[end:].lstrip())
            if code[second : second + 1] in ("_", "^") and code[second] != match[0]:
                yield match.start(), second


def _script_end(code: str, position: int) -> int | None:
    """The offset behind the script at `position`: a group, a character or a symbol."""
    if code.startswith("{", position):
        return group_end(code, position)
    simple = _SIMPLE.match(code, position)
    return simple.end() if simple else None


OPERATOR = Operator(
    code="LAT-MTH-DSU",
    family=BUILD_REPAIR,
    tier=2,
    category="C12 scripts and math syntax",
    summary="A subscript beside a superscript has become a second superscript.",
    sites=sites,
    example=Example(r"$\sum_{i=1}^{N} x_i$", r"$\sum^{i=1}^{N} x_i$", r"% $x_1^2$ \verb|x_1^2| $x_1 + y^2$"),
    diagnostic=r"^Double superscript",
)
