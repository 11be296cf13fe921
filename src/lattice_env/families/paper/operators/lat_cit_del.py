"""LAT-CIT-DEL: an entry of the bibliography is no entry any more: its `@` is lost."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.works import works_in
from lattice_env.verifier.selftests import Replacement


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every entry. Without its `@` it is a comment, so that it can still be read what was lost."""
    for document in paper.bib:
        for entry in works_in(document):
            yield Mutation((Replacement(document.path, entry.start, entry.kind_start, ""),))


OPERATOR = Operator(
    code="LAT-CIT-DEL",
    family=REFERENCE_HYGIENE,
    tier=2,
    category="C17 reference / citation",
    summary="An entry of the bibliography is lost with its @.",
    sites=sites,
    example=Example(
        "@book{knuth1984,\n  year = {1984}\n}\n",
        "book{knuth1984,\n  year = {1984}\n}\n",
        "% see @book{a, year = 1984}\n@comment{b, year = 1984}\n@string{c = {d}}\nbook{e,\n  year = 1984}\n",
        path="refs.bib",
    ),
    changes=("entries", "text"),
)
