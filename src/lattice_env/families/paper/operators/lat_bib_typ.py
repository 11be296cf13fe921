"""LAT-BIB-TYP: the type of a bibliography entry is misspelt."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.works import works_in
from lattice_env.verifier.selftests import Replacement

_TYPOS = {
    "article": "artcile",
    "book": "bok",
    "inproceedings": "inproceeding",
    "incollection": "incolection",
    "proceedings": "proceeding",
    "techreport": "techrepot",
    "report": "reprot",
    "phdthesis": "phdthessis",
    "thesis": "theses",
    "inbook": "inbok",
}


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every entry of a common type; what is misspelt is printed as `misc`."""
    for document in paper.bib:
        for entry in works_in(document):
            typo = _TYPOS.get(entry.kind.lower())
            if typo:
                yield Mutation((Replacement(document.path, entry.kind_start, entry.kind_end, typo),))


OPERATOR = Operator(
    code="LAT-BIB-TYP",
    family=REFERENCE_HYGIENE,
    tier=1,
    category="C17 reference / citation",
    summary="The type of a bibliography entry is misspelt.",
    sites=sites,
    example=Example(
        "@article{a,\n  year = {1984}\n}\n",
        "@artcile{a,\n  year = {1984}\n}\n",
        "@misc{a,\n  title = {The @article{} type}\n}\n@comment{b, article}\n",
        path="refs.bib",
    ),
    changes=("entries", "text"),
)
