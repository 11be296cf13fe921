"""LAT-FIG-MIS: the name of a figure's file is misspelt."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import GRAPHICS, body, misspell_path
from lattice_env.verifier.selftests import Replacement


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every live `\\includegraphics` whose misspelt path is no other figure's."""
    known = {match[2] for document in paper.tex for match in GRAPHICS.finditer(document.text)}
    for document in paper.tex:
        for match in GRAPHICS.finditer(body(document)):
            typo = misspell_path(match[2])
            if typo not in known:
                yield Mutation((Replacement(document.path, match.start(2), match.end(2), typo),), (typo,))


OPERATOR = Operator(
    code="LAT-FIG-MIS",
    family=BUILD_REPAIR,
    tier=1,
    category="C10 external data / file",
    summary="The name of a figure's file is misspelt.",
    sites=sites,
    example=Example(
        r"\includegraphics[width=5cm]{figures/curves.pdf}",
        r"\includegraphics[width=5cm]{figures/curvs.pdf}",
        r"% \includegraphics{figures/curves.pdf}",
    ),
    diagnostic=r"pdftex\.def Error: File `|^LaTeX Error: File `[^']*' not found",
)
