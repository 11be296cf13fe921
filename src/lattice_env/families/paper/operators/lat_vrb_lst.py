"""LAT-VRB-LST: the end of a listing is missing."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.verifier.selftests import Replacement

END = r"\end{lstlisting}"


def sites(paper: Paper) -> Iterator[Mutation]:
    """The line of the last `\\end{lstlisting}` of every file; those before it would find a later one."""
    for document in paper.tex:
        place = body(document).rfind(END)
        if place >= 0 and document.text.count(END, place) == 1:
            start, end = document.line_span(place)
            alone = document.text[start:end].strip() == END
            span = (start, end) if alone else (place, place + len(END))
            yield Mutation((Replacement(document.path, *span, ""),))


OPERATOR = Operator(
    code="LAT-VRB-LST",
    family=BUILD_REPAIR,
    tier=1,
    category="C14 verbatim",
    summary="The end of a listing is missing.",
    sites=sites,
    example=Example(
        "\\begin{lstlisting}\na\n\\end{lstlisting}\nb\n",
        "\\begin{lstlisting}\na\nb\n",
        "% \\end{lstlisting}\n\\verb|\\end{lstlisting}|",
    ),
    diagnostic=r"^Emergency stop|job aborted, no legal|^File ended while scanning use of \\lst",
)
