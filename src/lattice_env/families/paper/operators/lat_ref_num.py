"""LAT-REF-NUM: a counter is set, and the numbers behind it are one too high."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.numbering import numbers
from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.families.paper.references import KINDS, labels
from lattice_env.verifier.latex import group_end
from lattice_env.verifier.selftests import Replacement

_HEADING = re.compile(r"\\section\s*(?=\{)")
_COUNTERS = ("figure", "table", "equation")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every section and each kind of thing in it that has a number; its counter is set behind the heading.

    The first of them skips a number.
    """
    known = {key: number for key, number in numbers(paper).items() if not number.stem and number.kind in KINDS}
    for document in paper.tex:
        code = body(document)
        heads = list(_HEADING.finditer(code))
        inside = [label for label in labels(paper) if label.path == document.path and label.key in known]
        for i, head in enumerate(heads):
            end = group_end(code, head.end())
            limit = heads[i + 1].start() if i + 1 < len(heads) else len(code)
            for counter in _COUNTERS if end else ():
                keys = [x.key for x in inside if head.end() < x.start < limit and x.kind == counter]
                if end and keys:
                    value = min(known[key].value for key in keys)
                    yield Mutation((Replacement(document.path, end, end, rf"\setcounter{{{counter}}}{{{value}}}"),))


_PAPER = r"\documentclass{article}\begin{document}%s\end{document}"


OPERATOR = Operator(
    code="LAT-REF-NUM",
    family=REFERENCE_HYGIENE,
    tier=2,
    category="C17 reference / citation",
    summary="A counter is set by hand, and the numbers behind it are one too high.",
    sites=sites,
    example=Example(
        _PAPER % r"\section{A}\begin{figure}\caption{B}\label{f}\end{figure}",
        _PAPER % r"\section{A}\setcounter{figure}{1}\begin{figure}\caption{B}\label{f}\end{figure}",
        _PAPER % "\\section{A} % \\begin{figure}\\caption{B}\\label{f}\\end{figure}\n",
    ),
    changes=("labels", "links", "text"),
)
