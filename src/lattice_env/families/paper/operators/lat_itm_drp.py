"""LAT-ITM-DRP: a list begins with text that no item holds."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.verifier.latex import environments
from lattice_env.verifier.selftests import Replacement

_LISTS = ("itemize", "enumerate", "description")
_FIRST = re.compile(r"(?:\[[^\]]*\])?\s*(?:\\label\s*\{[^{}]*\}\s*)?(\\item(?![A-Za-z@])[ \t]*)(?=[^\s\[\\])")


def sites(paper: Paper) -> Iterator[Mutation]:
    """The first `\\item` of every list, where it has no label of its own."""
    for document in paper.tex:
        code = body(document)
        for list_ in environments(code):
            first = _FIRST.match(code, list_.body, list_.body_end) if list_.name in _LISTS else None
            if first:
                yield Mutation((Replacement(document.path, first.start(1), first.end(1), ""),))


OPERATOR = Operator(
    code="LAT-ITM-DRP",
    family=BUILD_REPAIR,
    tier=1,
    category="C8 list misuse",
    summary="A list begins with text that no item holds.",
    sites=sites,
    example=Example(
        "\\begin{itemize}\n  \\item a\n\\end{itemize}\n",
        "\\begin{itemize}\n  a\n\\end{itemize}\n",
        "\\begin{itemize}\n  % \\item a\n  \\item[x] a\n  \\item b\n\\end{itemize}\n",
    ),
    diagnostic=r"perhaps a missing \\item",
)
