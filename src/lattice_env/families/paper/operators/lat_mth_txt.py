"""LAT-MTH-TXT: a font for text stands in a formula."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.mathematics import mathematics
from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.verifier.selftests import Replacement

DECLARATIONS = {
    "mathrm": r"\rmfamily",
    "mathbf": r"\bfseries",
    "mathit": r"\itshape",
    "mathsf": r"\sffamily",
    "mathtt": r"\ttfamily",
    "text": r"\rmfamily",
}
_ALPHABET = re.compile(rf"\\({'|'.join(DECLARATIONS)})\s*\{{")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every alphabet of a formula, `\\text` too, made a declaration of the same font."""
    for document in paper.tex:
        code = body(document)
        for start, end in mathematics(code):
            for match in _ALPHABET.finditer(code, start, end):
                new = f"{{{DECLARATIONS[match[1]]} "
                yield Mutation((Replacement(document.path, match.start(), match.end(), new),))


OPERATOR = Operator(
    code="LAT-MTH-TXT",
    family=BUILD_REPAIR,
    tier=2,
    category="C3 math mode delimiters",
    summary="A font for text stands in a formula.",
    sites=sites,
    example=Example(
        r"$x_{\mathrm{max}}$",
        r"$x_{{\rmfamily max}}$",
        "% $x_{\\mathrm{max}}$\n\\text{a} $\\mathcal{A}$ \\verb|$\\mathrm{a}$|",
    ),
    diagnostic=r"^LaTeX Error: Command \\(?:(?:rm|sf|tt)family|bfseries|itshape) ?invalid in math mode",
)
