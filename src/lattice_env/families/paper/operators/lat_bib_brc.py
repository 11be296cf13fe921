"""LAT-BIB-BRC: the closing brace of a field is missing."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.bibliography import entries
from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.verifier.selftests import Replacement


def sites(paper: Paper) -> Iterator[Mutation]:
    """The closing brace of every field but the last of an entry, the last entry of a file apart.

    The last entry would swallow the end of the file, which is another fault.
    """
    for document in paper.bib:
        for entry in entries(document)[:-1]:
            for field in entry.fields[:-1]:
                if field.braced:
                    yield Mutation((Replacement(document.path, field.end, field.end + 1, ""),))


OPERATOR = Operator(
    code="LAT-BIB-BRC",
    family=BUILD_REPAIR,
    tier=1,
    category="C17 reference / citation",
    summary="The closing brace of a field is missing.",
    sites=sites,
    example=Example(
        "@book{k,\n  title = {A {B} C},\n  year = {1}\n}\n@book{l, title = {A}}\n",
        "@book{k,\n  title = {A {B} C,\n  year = {1}\n}\n@book{l, title = {A}}\n",
        "@book{k,\n  title = {A {B} C},\n  year = {1}\n}\n@comment{l, a = {b}, c = {d}}",
        path="paper.bib",
    ),
    diagnostic=(
        r"^I was expecting a `,' or a `\}'|^BibTeX subsystem: .*syntax error: found|^Name .+ has too many commas"
    ),
)
