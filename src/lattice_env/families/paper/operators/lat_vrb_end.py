"""LAT-VRB-END: the end of a verbatim environment is missing."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.verifier.selftests import Replacement

END = r"\end{verbatim}"


def sites(paper: Paper) -> Iterator[Mutation]:
    """The line of the last `\\end{verbatim}` of every file; those before it would find a later one."""
    for document in paper.tex:
        place = body(document).rfind(END)
        if place >= 0 and document.text.count(END, place) == 1:
            start, end = document.line_span(place)
            alone = document.text[start:end].strip() == END
            span = (start, end) if alone else (place, place + len(END))
            yield Mutation((Replacement(document.path, *span, ""),))


OPERATOR = Operator(
    code="LAT-VRB-END",
    family=BUILD_REPAIR,
    tier=1,
    category="C14 verbatim",
    summary="The end of a verbatim environment is missing.",
    sites=sites,
    example=Example(
        "\\begin{verbatim}\na\n\\end{verbatim}\nb\n",
        "\\begin{verbatim}\na\nb\n",
        "% \\end{verbatim}\n\\verb|\\end{verbatim}|",
    ),
    diagnostic=r"^File ended while scanning use of \\@xverbatim",
)
