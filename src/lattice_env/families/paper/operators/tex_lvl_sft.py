"""TEX-LVL-SFT: a heading has slipped one level down."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import SILENT_CHANGE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.verifier.latex import commands
from lattice_env.verifier.selftests import Replacement

LOWER = {"section": "subsection", "subsection": "subsubsection", "paragraph": "subparagraph"}


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every heading of the body that has a level below it."""
    for document in paper.tex:
        for match in commands(body(document), "|".join(LOWER)):
            yield Mutation((Replacement(document.path, match.start(1), match.end(1), LOWER[match[1]]),))


OPERATOR = Operator(
    code="TEX-LVL-SFT",
    family=SILENT_CHANGE,
    tier=2,
    category="C18 content / structure drift",
    summary="A heading has slipped one level down.",
    sites=sites,
    example=Example(r"\section{Method}", r"\subsection{Method}", r"% \section{A} \sectionmark{B}"),
    changes=("pages",),
)
