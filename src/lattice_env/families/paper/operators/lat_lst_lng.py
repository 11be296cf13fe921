"""LAT-LST-LNG: the language of a listing is misspelt."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.verifier.latex import Document, group_end
from lattice_env.verifier.selftests import Replacement

_LISTING = re.compile(r"\\(?:lstset(?![A-Za-z@])|begin\s*\{lstlisting\}|lstinputlisting(?![A-Za-z@]))")
_LANGUAGE = re.compile(r"(?<![A-Za-z])language\s*=\s*\{?\s*(?:\[[^\]]*\]\s*)?([A-Za-z+]+)")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every language that the options of a listing name, those for all listings among them."""
    for document in paper.tex:
        for start, end in _options(document):
            for match in _LANGUAGE.finditer(document.text, start, end):
                typo = misspell(match[1])
                yield Mutation((Replacement(document.path, match.start(1), match.end(1), typo),), (typo,))


def _options(document: Document) -> Iterator[tuple[int, int]]:
    """From and to of the options of every live listing, in order."""
    for match in _LISTING.finditer(document.code):
        opener = document.text[match.end() : match.end() + 1]
        end = group_end(document.text, match.end()) if opener == "{" else document.text.find("]", match.end())
        if opener in ("{", "[") and end and end > 0:
            yield match.end(), end


def misspell(name: str) -> str:
    """The name with its last letters exchanged, or with the last one doubled where it is short."""
    swapped = name[:-2] + name[-1] + name[-2:-1]
    return swapped if len(name) > 3 and swapped.lower() != name.lower() else name + name[-1]  # noqa: PLR2004


OPERATOR = Operator(
    code="LAT-LST-LNG",
    family=BUILD_REPAIR,
    tier=1,
    category="C7 missing or malformed argument",
    summary="The language of a listing is misspelt.",
    sites=sites,
    example=Example(
        r"\lstset{language=Python, basicstyle=\small}",
        r"\lstset{language=Pythno, basicstyle=\small}",
        r"% \lstset{language=Python} \selectlanguage{language=C}",
    ),
    diagnostic=r"^Package Listings Error: Couldn't load requested language",
)
