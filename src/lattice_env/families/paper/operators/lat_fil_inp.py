"""LAT-FIL-INP: the name of an input file is misspelt."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import blank, definitions, misspell_path
from lattice_env.verifier.selftests import Replacement

_INPUT = re.compile(r"\\(?:input|subfile)\s*\{\s*([^{}\s\\#]+)\s*\}")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every live `\\input`, in the preamble too, whose misspelt path is no file of the paper.

    `\\include` is left out: LaTeX does not mind that its file is missing.
    """
    known = {document.path.removesuffix(".tex") for document in paper.tex}
    for document in paper.tex:
        for match in _INPUT.finditer(blank(document.code, definitions(document.code))):
            typo = misspell_path(match[1])
            if typo != match[1] and typo.removesuffix(".tex") not in known:
                yield Mutation((Replacement(document.path, match.start(1), match.end(1), typo),), (typo,))


OPERATOR = Operator(
    code="LAT-FIL-INP",
    family=BUILD_REPAIR,
    tier=1,
    category="C10 external data / file",
    summary="The name of an input file is misspelt.",
    sites=sites,
    example=Example(r"\input{sections/method}", r"\input{sections/methd}", r"% \input{a/method} \include{a/method}"),
    diagnostic=r"^LaTeX Error: File `[^']+\.tex' not found",
)
