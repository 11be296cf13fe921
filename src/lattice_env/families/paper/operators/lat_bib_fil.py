"""LAT-BIB-FIL: the name of the bibliography file is misspelt."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.bibliography import BIBLIOGRAPHY, commands_of
from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import misspell_path
from lattice_env.verifier.selftests import Replacement

_NAME = re.compile(r"[^\s,]+")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every file of a live `\\bibliography`; biber's `\\addbibresource` is left out, for its build goes on."""
    known = {document.path.removesuffix(".bib") for document in paper.bib}
    for document, match in commands_of(paper, BIBLIOGRAPHY):
        for name in _NAME.finditer(document.code, *match.span(1)):
            typo = misspell_path(name[0])
            if typo != name[0] and typo not in known:
                yield Mutation((Replacement(document.path, *name.span(), typo),), (typo,))


OPERATOR = Operator(
    code="LAT-BIB-FIL",
    family=BUILD_REPAIR,
    tier=1,
    category="C10 external data / file",
    summary="The name of the bibliography file is misspelt.",
    sites=sites,
    example=Example(
        r"\bibliography{references}",
        r"\bibliography{referencs}",
        r"% \bibliography{a} \verb|\bibliography{refs}| \bibliographystyle{plain}",
    ),
    diagnostic=r"^I couldn't open database file",
)
