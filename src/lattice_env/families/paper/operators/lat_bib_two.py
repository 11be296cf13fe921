"""LAT-BIB-TWO: the bibliography is asked for a second time, beside its style."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.bibliography import BIBLIOGRAPHY, STYLE, commands_of
from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.verifier.selftests import Replacement


def sites(paper: Paper) -> Iterator[Mutation]:
    """Behind every live `\\bibliographystyle` of a paper with one live `\\bibliography`."""
    asked = [match for _, match in commands_of(paper, BIBLIOGRAPHY)]
    for document, match in commands_of(paper, STYLE) if len(asked) == 1 else ():
        yield Mutation((Replacement(document.path, match.end(), match.end(), asked[0][0]),))


OPERATOR = Operator(
    code="LAT-BIB-TWO",
    family=BUILD_REPAIR,
    tier=2,
    category="C17 reference / citation",
    summary="The bibliography is asked for a second time, beside its style.",
    sites=sites,
    example=Example(
        "\\bibliographystyle{plain}\n\\bibliography{r}\n",
        "\\bibliographystyle{plain}\\bibliography{r}\n\\bibliography{r}\n",
        "% \\bibliographystyle{plain}\n\\bibliography{r}\n",
    ),
    diagnostic=r"^Illegal, another \\bibdata command",
)
