"""LAT-FIG-EPS: a figure is included as EPS, but the project has it as PDF."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import GRAPHICS, body
from lattice_env.verifier.selftests import Replacement


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every figure that is included with the extension `.pdf`."""
    for document in paper.tex:
        for match in GRAPHICS.finditer(body(document)):
            if match[2].endswith(".pdf"):
                edit = Replacement(document.path, match.end(2) - 3, match.end(2), "eps")
                yield Mutation((edit,), (f"{match[2][:-3]}eps",))


OPERATOR = Operator(
    code="LAT-FIG-EPS",
    family=BUILD_REPAIR,
    tier=1,
    category="C9 engine / environment dependent feature",
    summary="A figure is included as EPS, but the project has it as PDF.",
    sites=sites,
    example=Example(
        r"\includegraphics{figures/a.pdf}",
        r"\includegraphics{figures/a.eps}",
        r"% \includegraphics{a.pdf} \includegraphics{a.png} \verb|\includegraphics{a.pdf}|",
    ),
    diagnostic=r"File `[^']*eps(?:-converted-to\.pdf)?' not found",
)
