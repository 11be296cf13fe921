"""LAT-CND-XFI: the end of a conditional that is no longer there stands behind a paragraph."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import blank, text_of
from lattice_env.verifier.latex import environments
from lattice_env.verifier.selftests import Replacement

_LAST = re.compile(r"[a-z][.:]()[ \t]*\n[ \t]*\n")


def sites(paper: Paper) -> Iterator[Mutation]:
    """The end of every paragraph of running text outside of environments; none in a paper that uses conditionals."""
    if any(re.search(r"\\fi(?![A-Za-z@])", document.text) for document in paper.tex):
        return
    for document in paper.tex:
        code = text_of(document)
        code = blank(code, ((e.begin, e.end) for e in environments(code)))
        for match in _LAST.finditer(code):
            if code.count("{", 0, match.start()) == code.count("}", 0, match.start()):
                yield Mutation((Replacement(document.path, *match.span(1), r"\fi"),))


OPERATOR = Operator(
    code="LAT-CND-XFI",
    family=BUILD_REPAIR,
    tier=1,
    category="C1 unbalanced group / brace",
    summary="The end of a conditional that is no longer there stands behind a paragraph.",
    sites=sites,
    example=Example(
        "So it is.\n\nNext.\n", "So it is.\\fi\n\nNext.\n", "% a.\n\\begin{center}\nSo.\n\n\\end{center}\n"
    ),
    diagnostic=r"^Extra \\(?:fi|else)",
)
