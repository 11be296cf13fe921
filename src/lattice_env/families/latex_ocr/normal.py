"""The normal form of a formula: what tells whether two formulas are the same task."""

from __future__ import annotations

import hashlib

from lattice_env.verifier.answer import join
from lattice_env.verifier.padding import pared

SPACING = frozenset(
    r"\, \; \: \! \> ~ \quad \qquad \thinspace \medspace \thickspace \negthinspace \displaystyle \textstyle"
    r" \limits \nolimits \left \right \bigl \bigr \Bigl \Bigr \biggl \biggr \Biggl \Biggr \big \Big \bigg \Bigg"
    r" \middle \nonumber \notag".split()
) | {"\\ "}
"""Tokens that change how a formula is spaced or how large a delimiter is."""

SYNONYMS = {
    r"\leq": r"\le",
    r"\geq": r"\ge",
    r"\neq": r"\ne",
    r"\rightarrow": r"\to",
    r"\leftarrow": r"\gets",
    r"\lvert": "|",
    r"\rvert": "|",
    r"\vert": "|",
    r"\lVert": r"\|",
    r"\rVert": r"\|",
    r"\Vert": r"\|",
    r"\lbrace": r"\{",
    r"\rbrace": r"\}",
    r"\lbrack": "[",
    r"\rbrack": "]",
    r"\dfrac": r"\frac",
    r"\tfrac": r"\frac",
    r"\land": r"\wedge",
    r"\lor": r"\vee",
    r"\lnot": r"\neg",
    r"\ast": "*",
    r"\owns": r"\ni",
    r"\dots": r"\ldots",
    r"\dotsc": r"\ldots",
    r"\dotsb": r"\cdots",
}


def normal_form(latex: str) -> str:
    """`latex` with its spacing dropped, one name for each sign, and no braces around single tokens."""
    found = [SYNONYMS.get(token, token) for token in pared(latex) if token not in SPACING]
    plain: list[str] = []
    for token in found:
        plain.append(token)
        if token == "}" and plain[-3:-2] == ["{"]:  # noqa: S105 - a brace is no password
            plain[-3:] = [plain[-2]]
    return join(plain)


def share(latex: str) -> float:
    """A number in [0, 1) that the normal form alone decides: what puts a formula into a split."""
    digest = hashlib.sha256(normal_form(latex).encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:7], "big") / (1 << 56)
