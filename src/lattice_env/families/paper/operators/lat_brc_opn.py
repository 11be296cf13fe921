"""LAT-BRC-OPN: an opening brace is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body, groups
from lattice_env.verifier.selftests import Replacement

_SCRIPT = re.compile(r"[_^]\{")
_FRACTION = re.compile(r"frac\{[^A-Za-z{}\\]")
_DECLARATION = re.compile(
    r"[\s~(]\{\\(?:it|bf|tt|em|sl|sc|itshape|bfseries|ttfamily|slshape|scshape|small|large)(?![A-Za-z])"
)


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every opening brace of a script, of a fraction's numerator, or of a group with a font of its own."""
    for document in paper.tex:
        code = body(document)
        for start, _ in sorted(groups(code)):
            script = _SCRIPT.match(code, start - 1) or _DECLARATION.match(code, start - 1)
            if start > 0 and (script or _FRACTION.match(code, max(start - 4, 0))):
                yield Mutation((Replacement(document.path, start, start + 1, ""),))


OPERATOR = Operator(
    code="LAT-BRC-OPN",
    family=BUILD_REPAIR,
    tier=2,
    category="C1 unbalanced group / brace",
    summary="An opening brace is missing.",
    sites=sites,
    example=Example(r"$x_{ij}$", r"$x_ij}$", r"% $x_{ij}$ \verb|x_{ij}| $x_i$ $x\{i\}$ \emph{a}"),
    diagnostic=r"^Too many \}'s|^Extra \}, or forgotten|^Argument of \\\S+ +has an extra \}|^Missing \{ inserted",
)
