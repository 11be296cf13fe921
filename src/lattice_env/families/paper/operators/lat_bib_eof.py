"""LAT-BIB-EOF: the last entry of the bibliography is not closed."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.bibliography import entries
from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.verifier.selftests import Replacement


def sites(paper: Paper) -> Iterator[Mutation]:
    """The closing brace of the last entry of every `.bib` file that ends with one."""
    for document in paper.bib:
        for entry in entries(document)[-1:]:
            if not document.text[entry.end :].strip():
                yield Mutation((Replacement(document.path, entry.end - 1, entry.end, ""),))


OPERATOR = Operator(
    code="LAT-BIB-EOF",
    family=BUILD_REPAIR,
    tier=1,
    category="C17 reference / citation",
    summary="The last entry of the bibliography is not closed.",
    sites=sites,
    example=Example(
        "@book{k,\n  title = {A {B} C},\n  year = {1}\n}\n",
        "@book{k,\n  title = {A {B} C},\n  year = {1}\n\n",
        "@book{k,\n  title = {A {B} C},\n  year = {1}\n}\n% end",
        path="paper.bib",
    ),
    diagnostic=r"^Illegal end of database file|^BibTeX subsystem: .*at end of input",
)
