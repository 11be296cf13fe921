"""LAT-CIT-FLD: an entry of the bibliography has a wrong year, which its key contradicts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.works import works_in
from lattice_env.verifier.selftests import Replacement

_YEAR = re.compile(r"(?:19|20)\d\d")


def wrong(year: str) -> str:
    """A year as a slip of the hand gives it: two digits exchanged, or the next one where that is no year."""
    turned = year[:2] + year[3] + year[2]
    return turned if turned != year and (year[0] == "1" or int(turned[2:]) <= int(year[2:])) else str(int(year) - 1)


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every entry whose key has its year."""
    for document in paper.bib:
        for entry in works_in(document):
            field = entry.part("year", "date")
            year = _YEAR.match(document.text, field.value_start, field.value_end) if field else None
            if year and re.search(rf"(?<!\d){year[0]}(?!\d)", entry.key):
                yield Mutation((Replacement(document.path, *year.span(), wrong(year[0])),))


OPERATOR = Operator(
    code="LAT-CIT-FLD",
    family=REFERENCE_HYGIENE,
    tier=3,
    category="C17 reference / citation",
    summary="The year of a bibliography entry is not that of its key.",
    sites=sites,
    example=Example(
        "@book{knuth1984,\n  title = {1984},\n  year = {1984}\n}\n",
        "@book{knuth1984,\n  title = {1984},\n  year = {1948}\n}\n",
        "@book{knuth84, title = {1984}, year = {1984}}\n% @book{k1984, year = {1984}}\n",
        path="refs.bib",
    ),
    changes=("entries", "text"),
)
