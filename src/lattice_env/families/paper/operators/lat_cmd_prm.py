"""LAT-CMD-PRM: a word of TeX's own stands where a symbol or a text was meant."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.verifier.selftests import Replacement

PRIMITIVES = {
    **dict.fromkeys((r"\\lor", r"\\vee", r"\\text\{\s*or\s*\}"), r"\or"),
    **dict.fromkeys((r"\\land", r"\\wedge"), r"\and"),
    r"\\text\{\s*(?:else|otherwise)\.?\s*\}": r"\else",
}
"""What was meant (a regular expression), and the word that somebody takes for it."""
_MEANT = re.compile("|".join(f"({meant})(?![A-Za-z@])" for meant in PRIMITIVES))
_WORDS = tuple(PRIMITIVES.values())


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every such symbol or text in a body."""
    for document in paper.tex:
        for match in _MEANT.finditer(body(document)):
            word = _WORDS[(match.lastindex or 1) - 1]
            yield Mutation((Replacement(document.path, *match.span(), word),))


OPERATOR = Operator(
    code="LAT-CMD-PRM",
    family=BUILD_REPAIR,
    tier=2,
    category="C4 undefined control sequence",
    summary="A word of TeX's own stands where a symbol or a text was meant.",
    sites=sites,
    example=Example(r"$a \lor b$", r"$a \or b$", r"% $a \lor b$ \verb|\land| $\landscape$ \lorem"),
    diagnostic=r"^Extra \\(?:or|else)|^Misplaced \\crcr|^Missing \\endgroup",
)
