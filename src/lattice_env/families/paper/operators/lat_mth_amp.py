"""LAT-MTH-AMP: an equation has the `&` of an alignment."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.mathematics import SINGLE, displays, outermost
from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.verifier.selftests import Replacement

_RELATION = re.compile(r"[=<>]|\\(?:leq?|geq?|lesssim|approx|sim|simeq|propto|in|subseteq|to|equiv|coloneqq)")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Before every relation on the top level of a display of one formula."""
    for document in paper.tex:
        code = body(document)
        for display in displays(code):
            if display.name in SINGLE:
                for token in outermost(code, display.body, display.body_end):
                    if _RELATION.fullmatch(token[0]):
                        yield Mutation((Replacement(document.path, token.start(), token.start(), "&"),))


OPERATOR = Operator(
    code="LAT-MTH-AMP",
    family=BUILD_REPAIR,
    tier=1,
    category="C11 table / alignment",
    summary="An equation has the `&` of an alignment.",
    sites=sites,
    example=Example(
        "\\begin{equation}\n  x = 1,\n\\end{equation}\n",
        "\\begin{equation}\n  x &= 1,\n\\end{equation}\n",
        "% \\[ x = 1 \\]\n\\begin{align}\n  x &= 1 \\\\[1ex]\n\\end{align} $x = 1$\n",
    ),
    diagnostic=r"^Misplaced alignment tab character &",
)
