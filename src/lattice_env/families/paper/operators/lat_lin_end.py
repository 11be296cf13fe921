"""LAT-LIN-END: a line is ended where no line has begun."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.verifier.latex import environments, group_end
from lattice_env.verifier.selftests import Replacement

_HEADING = re.compile(r"\\(?:sub)*section(?![A-Za-z@])\*?\s*(?:\[[^\]]*\]\s*)?(?=\{)")
_LABEL = re.compile(r"\s*\\label\s*\{[^{}]*\}")
_BLOCKS = ("itemize", "enumerate", "description", "center", "quote", "theorem", "lemma", "proof", "definition")
_PARAGRAPH = re.compile(r"[ \t]*\n[ \t]*(?:\n|\\(?:sub)*section)")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Behind every heading, with its label, and behind every list and block that ends a paragraph."""
    for document in paper.tex:
        code = body(document)
        heads = (group_end(code, match.end()) for match in _HEADING.finditer(code))
        places = [_label_end(code, head) for head in heads if head]
        places += [e.end for e in environments(code) if e.name in _BLOCKS and _PARAGRAPH.match(code, e.end)]
        for place in sorted(set(places)):
            yield Mutation((Replacement(document.path, place, place, r" \\"),))


def _label_end(code: str, head: int) -> int:
    """The offset behind the label that follows a heading; that of the heading's end where none does."""
    label = _LABEL.match(code, head)
    return label.end() if label else head


OPERATOR = Operator(
    code="LAT-LIN-END",
    family=BUILD_REPAIR,
    tier=1,
    category="C11 table / alignment",
    summary="A line is ended where no line has begun.",
    sites=sites,
    example=Example(
        "\\section{A}\\label{a}\nText.\n",
        "\\section{A}\\label{a} \\\\\nText.\n",
        "% \\section{A}\n\\begin{itemize}\n\\item a\n\\end{itemize}\nText. \\verb|\\section{a}|\n",
    ),
    diagnostic=r"^LaTeX Error: There's no line here to end",
)
