"""LAT-BIB-DUP: an entry has the key of the entry before it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from lattice_env.families.paper.bibliography import entries, uses_biber
from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.verifier.selftests import Replacement


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every entry but the first of its file; none in a paper with biber, which only warns."""
    for document in () if uses_biber(paper) else paper.bib:
        for before, entry in pairwise(entries(document)):
            if before.key != entry.key:
                yield Mutation((Replacement(document.path, entry.key_start, entry.key_end, before.key),))


OPERATOR = Operator(
    code="LAT-BIB-DUP",
    family=BUILD_REPAIR,
    tier=2,
    category="C17 reference / citation",
    summary="An entry has the key of the entry before it.",
    sites=sites,
    example=Example(
        "@book{a, year = {1}}\n@book{b, year = {2}}\n",
        "@book{a, year = {1}}\n@book{a, year = {2}}\n",
        "@book{a, year = {1}}\n@comment{b, year = {2}}\n",
        path="paper.bib",
    ),
    diagnostic=r"^Repeated entry",
)
