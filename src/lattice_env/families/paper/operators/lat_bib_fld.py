"""LAT-BIB-FLD: a bibliography entry has lost its year, which its key still tells."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.works import works_in
from lattice_env.verifier.selftests import Replacement

_COMMA = re.compile(r"\s*,")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every entry whose key has its year: the field goes, and the comma that is then one too many."""
    for document in paper.bib:
        for entry in works_in(document):
            field = entry.part("year", "date")
            year = document.text[field.value_start : field.value_end] if field else ""
            if field and re.fullmatch(r"\d{4}", year) and year in entry.key:
                yield Mutation((_lost(document.text, document.path, field.start, field.end),))


def _lost(text: str, path: str, start: int, end: int) -> Replacement:
    """The edit that takes out a field, from the end of what stands before it."""
    comma = _COMMA.match(text, end)
    before = len(text[:start].rstrip())
    begin = before if comma else before - (text[before - 1] == "," and text[:before].count("\n") > 0)
    return Replacement(path, begin, comma.end() if comma else end, "")


OPERATOR = Operator(
    code="LAT-BIB-FLD",
    family=REFERENCE_HYGIENE,
    tier=2,
    category="C17 reference / citation",
    summary="The year of a bibliography entry is missing.",
    sites=sites,
    example=Example(
        "@book{k1984,\n  year = {1984},\n  title = {A}\n}\n",
        "@book{k1984,\n  title = {A}\n}\n",
        "@book{k84, year = {1984}}\n% @book{k1984, year = {1984}}\n@book{l1984, title = {1984}}\n",
        path="refs.bib",
    ),
    changes=("entries", "text"),
)
