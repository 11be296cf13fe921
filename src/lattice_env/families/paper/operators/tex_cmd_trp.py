"""TEX-CMD-TRP: a typo in one of ten common commands."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.verifier.latex import commands
from lattice_env.verifier.selftests import Replacement

TYPOS = {
    "begin": "begn",
    "frac": "farc",
    "textbf": "texbf",
    "section": "sectin",
    "emph": "empf",
    "cite": "cit",
    "caption": "captin",
    "label": "lable",
    "includegraphics": "includegrapics",
    "subsection": "subsecton",
}
"""None of them exists anywhere; `\\frak`, which amsfonts defines, is therefore not among them."""


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every live use of one of the ten, behind the preamble, whose typo the paper does not use itself."""
    for document in paper.tex:
        for match in commands(body(document), "|".join(TYPOS)):
            typo = TYPOS[match[1]]
            if not any(next(commands(other.code, typo), None) for other in paper.tex):
                edit = Replacement(document.path, match.start(1), match.end(1), typo)
                yield Mutation((edit,), (f"\\{typo}",))


OPERATOR = Operator(
    code="TEX-CMD-TRP",
    family=BUILD_REPAIR,
    tier=2,
    category="C4 undefined control sequence",
    summary="A common command is misspelt.",
    sites=sites,
    example=Example(r"See \emph{this}.", r"See \empf{this}.", r"% \emph{this} \emphatic \newcommand{\x}{\emph{x}}"),
    diagnostic=r"^Undefined control sequence",
)
