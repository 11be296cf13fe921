"""LAT-BIB-CMA: the comma between two fields of an entry is missing."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.bibliography import entries
from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.verifier.selftests import Replacement


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every comma behind a field that another field follows."""
    for document in paper.bib:
        for entry in entries(document):
            for field in entry.fields[:-1]:
                comma = document.text.find(",", field.end)
                yield Mutation((Replacement(document.path, comma, comma + 1, ""),))


OPERATOR = Operator(
    code="LAT-BIB-CMA",
    family=BUILD_REPAIR,
    tier=1,
    category="C17 reference / citation",
    summary="The comma between two fields of an entry is missing.",
    sites=sites,
    example=Example(
        "@book{k,\n  title = {A {B} C},\n  year = {1}\n}\n",
        "@book{k,\n  title = {A {B} C}\n  year = {1}\n}\n",
        "@comment{k, a = {b}, c = {d}}\n@book{k, title = {A, B},\n}\n",
        path="paper.bib",
    ),
    diagnostic=r"^I was expecting a `,' or a `\}'|^BibTeX subsystem: .*syntax error: found",
)
