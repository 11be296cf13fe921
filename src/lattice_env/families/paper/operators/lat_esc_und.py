"""LAT-ESC-UND: an underscore in text has lost its backslash."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import text_of, unescaped


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every `\\_` in the text of the body, unless the paper loads `underscore`, which makes `_` legal."""
    if not any(re.search(r"\\usepackage[^{}]*\{[^{}]*\bunderscore\b", d.code) for d in paper.tex):
        for document in paper.tex:
            yield from unescaped(document, text_of(document), "_")


OPERATOR = Operator(
    code="LAT-ESC-UND",
    family=BUILD_REPAIR,
    tier=1,
    category="C13 special characters / encoding",
    summary="An underscore in text has lost its backslash.",
    sites=sites,
    example=Example(r"the key \texttt{max\_len}", r"the key \texttt{max_len}", r"$a\_b$ % a\_b \verb|a\_b|"),
    diagnostic=r"^Missing \$ inserted",
)
