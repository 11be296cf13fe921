"""LAT-CIT-AUT: the author of a bibliography entry is misspelt, as its key tells."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.works import surnames, works_in
from lattice_env.verifier.selftests import Replacement

_LEAST = 4


def misspelt(name: str) -> str:
    """The name with two letters in its middle exchanged; as it is where they are all the same."""
    middle = sorted(range(1, len(name) - 2), key=lambda i: abs(2 * i + 1 - len(name)))
    return next((name[:i] + name[i + 1] + name[i] + name[i + 2 :] for i in middle if name[i] != name[i + 1]), name)


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every entry whose key has the surname of its first author."""
    for document in paper.bib:
        for entry in works_in(document):
            field = entry.part("author")
            value = document.text[field.value_start : field.value_end] if field else ""
            name = next(iter(surnames(value)), "")
            plain = re.fullmatch(rf"[A-Za-z]{{{_LEAST},}}", name)
            if field and plain and name.lower() in entry.key.lower() and misspelt(name) != name:
                start = field.value_start + value.index(name)
                yield Mutation((Replacement(document.path, start, start + len(name), misspelt(name)),))


OPERATOR = Operator(
    code="LAT-CIT-AUT",
    family=REFERENCE_HYGIENE,
    tier=3,
    category="C17 reference / citation",
    summary="The author of a bibliography entry is not spelt as in its key.",
    sites=sites,
    example=Example(
        "@book{knuth1984,\n  author = {Knuth, Donald E.}\n}\n",
        "@book{knuth1984,\n  author = {Kntuh, Donald E.}\n}\n",
        "@book{tex1984, author = {Knuth, Donald E.}}\n% @book{knuth1984, author = {Knuth}}\n",
        path="refs.bib",
    ),
    changes=("entries", "text"),
)
