"""LAT-BIB-XBR: a closing brace within a field of the bibliography is there twice."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.bibliography import entries
from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import groups
from lattice_env.verifier.selftests import Replacement

_CONTINUES = re.compile(r"\}\s*[^\s,}#]")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every closing brace inside a field behind which the field goes on."""
    for document in paper.bib:
        for entry in entries(document):
            for field in entry.fields:
                for _, end in groups(document.text[field.start : field.end]):
                    place = field.start + end
                    if field.braced and _CONTINUES.match(document.text, place, field.end):
                        yield Mutation((Replacement(document.path, place + 1, place + 1, "}"),))


OPERATOR = Operator(
    code="LAT-BIB-XBR",
    family=BUILD_REPAIR,
    tier=2,
    category="C17 reference / citation",
    summary="A closing brace within a field of the bibliography is there twice.",
    sites=sites,
    example=Example(
        "@book{k,\n  title = {A {B} C},\n  year = {1}\n}\n",
        "@book{k,\n  title = {A {B}} C},\n  year = {1}\n}\n",
        "@book{k,\n  title = {A {B}, C},\n  author = {{D}}\n}\n",
        path="paper.bib",
    ),
    diagnostic=r"^I was expecting a `,' or a `\}'|^BibTeX subsystem: .*syntax error: found",
)
