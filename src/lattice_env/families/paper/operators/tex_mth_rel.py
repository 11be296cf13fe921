"""TEX-MTH-REL: a relation in a formula is turned round."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import SILENT_CHANGE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import math_of
from lattice_env.verifier.selftests import Replacement

_PAIRS = (
    ("leq", "geq"),
    ("le", "ge"),
    ("leqslant", "geqslant"),
    ("subset", "supset"),
    ("subseteq", "supseteq"),
    ("ll", "gg"),
)
PARTNERS = {a: b for pair in _PAIRS for a, b in (pair, pair[::-1])} | {"in": "ni"}
_RELATION = re.compile(rf"\\(?P<word>{'|'.join(PARTNERS)})(?![A-Za-z@])|\\.|(?P<sign>[<>])", re.DOTALL)


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every relation of the table, and every `<` and `>`, in the formulas of the body."""
    for document in paper.tex:
        for match in _RELATION.finditer(math_of(document)):
            if match["word"]:
                edit = Replacement(document.path, match.start("word"), match.end("word"), PARTNERS[match["word"]])
                yield Mutation((edit,))
            elif match["sign"]:
                other = ">" if match["sign"] == "<" else "<"
                yield Mutation((Replacement(document.path, match.start(), match.end(), other),))


OPERATOR = Operator(
    code="TEX-MTH-REL",
    family=SILENT_CHANGE,
    tier=2,
    category="C18 content / structure drift",
    summary="A relation in a formula is turned round.",
    sites=sites,
    example=Example(r"If $a \leq b$ then", r"If $a \geq b$ then", r"a < b \leq % $a \leq b$ $\left( a \right)$"),
    changes=("pages",),
)
