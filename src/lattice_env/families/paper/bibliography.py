"""Entries and fields of `.bib` files, and the commands that read them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from lattice_env.verifier.latex import Document, group_end
from lattice_env.verifier.selftests import Replacement

from .operator import Mutation, Paper
from .references import citations

_ENTRY = re.compile(r"^[ \t]*@([A-Za-z]+)[ \t]*(?=\{)", re.MULTILINE)
_KEY = re.compile(r"\{\s*([^\s,{}]+)\s*,")
_FIELD = re.compile(r"[\s,]*([A-Za-z][\w-]*)\s*=\s*(\{|\w+)")
_NO_ENTRY = ("comment", "string", "preamble")


@dataclass(frozen=True)
class Field:
    """One field of an entry: its name in lower case, from and to of its value, outer braces left out."""

    name: str
    name_start: int
    start: int
    end: int
    braced: bool


@dataclass(frozen=True)
class Entry:
    """One entry of a `.bib` file: its type and key, and from and to of the key and of the whole."""

    document: Document
    kind: str
    key: str
    key_start: int
    key_end: int
    start: int
    end: int

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """The fields in order; what follows one that cannot be read is left out."""
        return tuple(_fields(self.document.text, self.document.text.index(",", self.key_end), self.end))


def _fields(text: str, position: int, limit: int) -> Iterator[Field]:
    while (match := _FIELD.match(text, position, limit)) is not None:
        braced = match[2] == "{"
        end = group_end(text, match.start(2)) if braced else match.end()
        if end is None or end > limit:
            return
        yield Field(match[1].lower(), match.start(1), match.start(2) + braced, end - braced, braced)
        position = end


def entries(document: Document) -> list[Entry]:
    """The entries of one file in order, `@comment` and the like apart."""
    found: list[Entry] = []
    for match in _ENTRY.finditer(document.text):
        key, end = _KEY.match(document.text, match.end()), group_end(document.text, match.end())
        if key and end is not None and key.end() <= end and match[1].lower() not in _NO_ENTRY:
            found.append(Entry(document, match[1].lower(), key[1], *key.span(1), match.end() - 1, end))
    return found


def uses_biber(paper: Paper) -> bool:
    """Whether biber, and not BibTeX, reads the bibliography."""
    return any(r"\addbibresource" in document.code for document in paper.tex)


def printed_fields(paper: Paper, names: str) -> Iterator[tuple[Entry, Field]]:
    """The fields in braces of these names (blanks between them) in every entry that the paper cites, in order.

    Where there are `.bib` files alone, every entry counts.
    """
    cited = {key.text for document in paper.tex for key in citations(document)}
    for document in paper.bib:
        for entry in entries(document):
            for field in entry.fields if entry.key in cited or not paper.tex else ():
                if field.braced and field.name in names.split():
                    yield entry, field


def slips(paper: Paper, names: str, pattern: str, new: str) -> Iterator[Mutation]:
    """Every match of `pattern` in such a field, with `new` (a template of `re`) in the place of its group 1."""
    for entry, field in printed_fields(paper, names):
        text = entry.document.text
        for match in re.compile(pattern).finditer(text, field.start, field.end):
            yield Mutation((Replacement(entry.document.path, *match.span(1), match.expand(new)),))


BIBLIOGRAPHY = re.compile(r"\\bibliography\s*\{([^{}]+)\}")
STYLE = re.compile(r"\\bibliographystyle\s*\{([^{}]+)\}")


def commands_of(paper: Paper, pattern: re.Pattern[str]) -> Iterator[tuple[Document, re.Match[str]]]:
    """Every live BIBLIOGRAPHY or STYLE command with its file."""
    for document in paper.tex:
        for match in pattern.finditer(document.code):
            yield document, match
