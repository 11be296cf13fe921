"""LAT-BIB-KEY: an entry of the bibliography has lost its key."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.bibliography import entries
from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.verifier.selftests import Replacement

_COMMA = re.compile(r"\s*,")


def sites(paper: Paper) -> Iterator[Mutation]:
    """The key of every entry, with its comma."""
    for document in paper.bib:
        for entry in entries(document):
            comma = _COMMA.match(document.text, entry.key_end)
            end = comma.end() if comma else entry.key_end
            yield Mutation((Replacement(document.path, entry.key_start, end, ""),))


OPERATOR = Operator(
    code="LAT-BIB-KEY",
    family=BUILD_REPAIR,
    tier=1,
    category="C17 reference / citation",
    summary="An entry of the bibliography has lost its key.",
    sites=sites,
    example=Example(
        "@book{k,\n  title = {A {B} C},\n  year = {1}\n}\n",
        "@book{\n  title = {A {B} C},\n  year = {1}\n}\n",
        "@string{k = {l}}\n@comment{k, a = {b}}\n",
        path="paper.bib",
    ),
    diagnostic=r"^I was expecting a `,' or a `\}'|^BibTeX subsystem: .*syntax error: found",
)
