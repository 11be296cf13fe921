"""LAT-SIU-NUM: a number that siunitx reads is malformed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.verifier.selftests import Replacement

SLIPS = {".": "..", "0": "O", "1": "l"}
"""The point typed twice, and the letters that look like digits."""
_NUMBER = re.compile(r"\\(?:num|qty|SI)(?![A-Za-z@])\s*(?:\[[^\]]*\])?\s*\{\s*(\d*(?:\.|[01])[\d.]*)\s*\}")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every number that is an argument and has a point, a zero or a one: `0..5`, `1O`, `l2`."""
    for document in paper.tex:
        for match in _NUMBER.finditer(body(document)):
            slip = next(found for found in re.finditer(r"\.|\d", match[1][::-1]) if found[0] in SLIPS)
            end = match.end(1) - slip.start()
            yield Mutation((Replacement(document.path, end - 1, end, SLIPS[slip[0]]),))


OPERATOR = Operator(
    code="LAT-SIU-NUM",
    family=BUILD_REPAIR,
    tier=2,
    category="C7 missing or malformed argument",
    summary="A number that siunitx reads is malformed.",
    sites=sites,
    example=Example(
        r"\qty{10}{\minute} and \num{64}",
        r"\qty{1O}{\minute} and \num{64}",
        "% \\num{10}\n\\num{64} \\verb|\\num{10}| \\emph{10}",
    ),
    diagnostic=r"^Package siunitx Error: Invalid number",
)
