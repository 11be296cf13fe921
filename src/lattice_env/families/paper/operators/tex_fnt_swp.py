"""TEX-FNT-SWP: words are set in another font."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import SILENT_CHANGE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.verifier.latex import commands
from lattice_env.verifier.selftests import Replacement

FONTS = {"emph": "textbf", "textbf": "emph", "textit": "texttt", "texttt": "textit", "textsc": "textsf"}


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every command of the table in the body."""
    for document in paper.tex:
        for match in commands(body(document), "|".join(FONTS)):
            yield Mutation((Replacement(document.path, match.start(1), match.end(1), FONTS[match[1]]),))


OPERATOR = Operator(
    code="TEX-FNT-SWP",
    family=SILENT_CHANGE,
    tier=2,
    category="C18 content / structure drift",
    summary="Words are set in another font.",
    sites=sites,
    example=Example(r"a \emph{term} here", r"a \textbf{term} here", r"% \emph{a} \emphasis \verb|\emph{b}|"),
    changes=("pages",),
)
