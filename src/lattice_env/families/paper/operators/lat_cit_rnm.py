"""LAT-CIT-RNM: an entry of the bibliography has another key, and the citations have kept the old one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.works import works_in
from lattice_env.verifier.selftests import Replacement

_YEAR = re.compile(r"(?<!\d)(?:19|20)(?=\d\d(?!\d))")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every entry; the year in its key is cut to two digits, or a letter is added to a key without one."""
    text = "\n".join(document.text for document in paper.documents)
    for document in paper.bib:
        for entry in works_in(document):
            key = _YEAR.sub("", entry.key, count=1) if _YEAR.search(entry.key) else f"{entry.key}a"
            if key not in text:
                yield Mutation((Replacement(document.path, entry.key_start, entry.key_end, key),))


OPERATOR = Operator(
    code="LAT-CIT-RNM",
    family=REFERENCE_HYGIENE,
    tier=2,
    category="C17 reference / citation",
    summary="The key of a bibliography entry is renamed, the citations are not.",
    sites=sites,
    example=Example(
        "@book{knuth1984tex,\n  year = {1984}\n}\n",
        "@book{knuth84tex,\n  year = {1984}\n}\n",
        "@comment{knuth1984, year = 1984}\n% @book{lamport1986, year = 1986}\n",
        path="refs.bib",
    ),
    changes=("entries", "text"),
)
