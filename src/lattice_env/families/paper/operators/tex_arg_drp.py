"""TEX-ARG-DRP: the last argument of a command is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.verifier.latex import commands, group_end
from lattice_env.verifier.selftests import Replacement

_GAP = r"[ \t]*+\n?+[ \t]*+"
_BRACE = re.compile(rf"{_GAP}\}}")
_CELL = re.compile(rf"{_GAP}(?:[}}&]|\\\\)")
_FORMULA = re.compile(rf"{_GAP}(?:[}}&$_^\n]|\\\\|\\(?:end|left|right)\b|\\[A-Za-z]+\s*[\[{{])")
_WORD = re.compile(r"\s*\\?[A-Za-z]")

ARGUMENTS = {
    **dict.fromkeys(("frac", "dfrac", "tfrac", "cfrac", "binom"), (2, _FORMULA)),
    **dict.fromkeys(("setlength", "addtolength", "setcounter", "addtocounter"), (2, _WORD)),
    **dict.fromkeys(("href", "textcolor", "texorpdfstring", "scalebox", "raisebox", "qty", "SI"), (2, _BRACE)),
    **dict.fromkeys(("multirow", "resizebox"), (3, _BRACE)),
    "multicolumn": (3, _CELL),
}
"""How many arguments in braces a command takes, and what must follow for TeX to miss the last:
it takes what follows in its place, and stumbles over it."""


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every last argument of such a command behind which TeX finds nothing that it could take instead."""
    for document in paper.tex:
        code = body(document)
        for match in commands(code, "|".join(ARGUMENTS)):
            count, stumbles = ARGUMENTS[match[1]]
            found = _arguments(code, match.end())[:count]
            if len(found) == count and stumbles.match(code, found[-1][1]):
                yield Mutation((Replacement(document.path, *found[-1], ""),))


def _arguments(code: str, position: int) -> list[tuple[int, int]]:
    """From and to of the brace groups that follow, options skipped."""
    found: list[tuple[int, int]] = []
    while gap := re.compile(r"(?:\s*\[[^\]]*\])?[ \t]*\n?[ \t]*(?=\{)").match(code, position):
        end = group_end(code, gap.end())
        if end is None:
            break
        found.append((gap.end(), end))
        position = end
    return found


OPERATOR = Operator(
    code="TEX-ARG-DRP",
    family=BUILD_REPAIR,
    tier=2,
    category="C7 missing or malformed argument",
    summary="The last argument of a command is missing.",
    sites=sites,
    example=Example(r"$\sqrt{\frac{a}{b}}$", r"$\sqrt{\frac{a}}$", r"% \frac{a}{b}}: $\frac{a}{b} + 1$"),
    diagnostic=(
        r"^Argument of \\\S+ has an extra \}|^Missing number|^Missing delimiter|^Paragraph ended before"
        r"|^Missing (?:[{}]|\\endgroup) inserted"
    ),
)
