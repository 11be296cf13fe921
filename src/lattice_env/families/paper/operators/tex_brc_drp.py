"""TEX-BRC-DRP: a closing brace is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import blank, body, groups
from lattice_env.verifier.latex import environments
from lattice_env.verifier.selftests import Replacement

_TAKES_ARGUMENT = re.compile(r"(?:\\[A-Za-z@]+\*?|\\[^A-Za-z@\s]|[\]}_^=])\Z")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every `}` of the body but those that TeX does not miss; of several in a row the last, which stands for all.

    Those that it does not miss are the ends of empty groups and of bare ones outside of all environments: TeX closes
    these at the end of the paper with a remark in the log. Pictures, which read braces in their
    own way, are left out.
    """
    for document in paper.tex:
        code = body(document)
        code = blank(code, ((e.begin, e.end) for e in environments(code) if e.name == "tikzpicture"))
        inner = [(e.body, e.body_end) for e in environments(code) if e.name != "document"]
        for start, end in groups(code):
            argument = _TAKES_ARGUMENT.search(code, max(0, start - 40), start)
            missed = argument or any(a <= start < b for a, b in inner)
            last = code[end + 1 : end + 2] != "}"
            if missed and last and code[start + 1 : end].strip():
                yield Mutation((Replacement(document.path, end, end + 1, ""),))


OPERATOR = Operator(
    code="TEX-BRC-DRP",
    family=BUILD_REPAIR,
    tier=1,
    category="C1 unbalanced group / brace",
    summary="A closing brace is missing.",
    sites=sites,
    example=Example(
        r"See \emph{this} here.",
        r"See \emph{this here.",
        r"% \emph{this} \{a\} \verb|{b}| {\small c} \LaTeX{}",
    ),
    diagnostic=(
        r"^Paragraph ended before|^File ended while scanning (?:use|definition) of|^Missing \} inserted"
        r"|^You can't use `\\eqno'"
    ),
)
