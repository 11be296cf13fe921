"""LAT-BIB-STY: the name of the bibliography style is misspelt."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.bibliography import STYLE, commands_of
from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.verifier.selftests import Replacement


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every live `\\bibliographystyle`."""
    for document, match in commands_of(paper, STYLE):
        style = match[1]
        typo = style[:-2] + style[-1] + style[-2] if style[-2:-1] != style[-1:] else style[:-1]
        yield Mutation((Replacement(document.path, *match.span(1), typo),), (typo,))


OPERATOR = Operator(
    code="LAT-BIB-STY",
    family=BUILD_REPAIR,
    tier=1,
    category="C10 external data / file",
    summary="The name of the bibliography style is misspelt.",
    sites=sites,
    example=Example(
        r"\bibliographystyle{plainnat}",
        r"\bibliographystyle{plainnta}",
        r"% \bibliographystyle{plain} \verb|\bibliographystyle{plain}|",
    ),
    diagnostic=r"^I couldn't open style file",
)
