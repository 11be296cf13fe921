"""LAT-BIB-NST: the paper names no bibliography style."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.bibliography import STYLE, commands_of
from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.verifier.selftests import Replacement


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every live `\\bibliographystyle`; the line goes with it where it holds nothing else."""
    for document, match in commands_of(paper, STYLE):
        start, end = document.line_span(match.start())
        alone = document.text[start:end].strip() == match[0]
        span = (start, end) if alone else match.span()
        yield Mutation((Replacement(document.path, *span, ""),))


OPERATOR = Operator(
    code="LAT-BIB-NST",
    family=BUILD_REPAIR,
    tier=1,
    category="C17 reference / citation",
    summary="The paper names no bibliography style.",
    sites=sites,
    example=Example(
        "a\n\\bibliographystyle{plain}\n\\bibliography{r}\n",
        "a\n\\bibliography{r}\n",
        "% \\bibliographystyle{plain}\n\\bibliography{r}\n",
    ),
    diagnostic=r"^I found no \\bibstyle command",
)
