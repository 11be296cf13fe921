"""Works in a bibliography: `.bib` entries with the places of their fields, and `\\bibitem`; how they are cited."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lattice_env.verifier.latex import Document, group_end

from .operator import Paper
from .places import body
from .references import Key, citations

_WORK = re.compile(r"^[ \t]*@([A-Za-z]+)\s*(\{)\s*([^\s,{}]+)\s*,", re.MULTILINE)
_FIELD = re.compile(r"\s*([A-Za-z]+)\s*=\s*")
_BARE = re.compile(r'"(?:[^"{}]|\{[^{}]*\})*"|\w+')
_COMMA = re.compile(r"\s*,")
_ITEM = re.compile(r"\\bibitem\s*(?:\[[^\]]*\]\s*)?\{\s*([^{}]*[^{}\s])\s*\}")
_LIMIT = re.compile(r"\\bibitem(?![A-Za-z@])|\\end\s*\{thebibliography\}")
_INPUT = re.compile(r"\\(?:input|include)\s*\{\s*([^{}]+?)\s*\}")


@dataclass(frozen=True)
class Part:
    """One field of a work: from its name to its value, comma apart, and what its braces or quotes hold."""

    name: str
    start: int
    end: int
    value_start: int
    value_end: int


@dataclass(frozen=True)
class Work:
    """One work in a bibliography, from its `@` or `\\bibitem` on, and where its type and its key stand."""

    path: str
    kind: str
    key: str
    start: int
    end: int
    kind_start: int
    key_start: int
    parts: tuple[Part, ...] = ()

    @property
    def kind_end(self) -> int:
        """The offset behind the type."""
        return self.kind_start + len(self.kind)

    @property
    def key_end(self) -> int:
        """The offset behind the key."""
        return self.key_start + len(self.key)

    def part(self, *names: str) -> Part | None:
        """The first field with one of these names; None where there is none."""
        return next((part for part in self.parts if part.name.lower() in names), None)


def works_in(document: Document) -> Iterator[Work]:
    """Every work of one file, in order: closed entries of a `.bib`, every `\\bibitem` of another."""
    if not document.path.endswith(".bib"):
        yield from _items(document)
        return
    text, position = document.text, 0
    while match := _WORK.search(text, position):
        position = match.end()
        end = group_end(text, match.start(2))
        if end and match.end() <= end and match[1].lower() not in ("comment", "string", "preamble"):
            parts = tuple(_parts(text, match.end(), end))
            start = match.start(1) - 1
            yield Work(document.path, match[1], match[3], start, end, match.start(1), match.start(3), parts)
            position = end


def _parts(text: str, start: int, end: int) -> Iterator[Part]:
    position = start
    while match := _FIELD.match(text, position, end):
        opened = match.end()
        bare = _BARE.match(text, opened, end)
        last = group_end(text, opened) if text.startswith("{", opened) else bare.end() if bare else None
        if last is None or last >= end:
            return
        quoted = text[opened] in '{"'
        yield Part(match[1], match.start(1), last, opened + quoted, last - quoted)
        comma = _COMMA.match(text, last, end)
        position = comma.end() if comma else end


def _items(document: Document) -> Iterator[Work]:
    code = body(document)
    for match in _ITEM.finditer(code):
        limit = _LIMIT.search(code, match.end())
        if limit:
            yield Work(document.path, "", match[1], match.start(), limit.start(), match.start(), match.start(1))


def works(paper: Paper) -> list[Work]:
    """Every work, file by file, in order."""
    return [work for document in paper.documents for work in works_in(document)]


def surnames(author: str) -> list[str]:
    """The surnames in an author field: `Knuth, Donald E. and Leslie Lamport` gives Knuth and Lamport."""
    names = [" ".join(name.split()) for name in re.split(r"\s+and\s+", author)]
    return [name.split(",")[0] if "," in name else name.split(" ")[-1] for name in names]


def citations_as_read(paper: Paper) -> list[Key]:
    """Every citation in the order in which TeX reads the files; those of a file that nothing inputs are left out."""
    roots = [document for document in paper.tex if r"\documentclass" in document.code]
    sources = {document.path: document for document in paper.tex}
    return list(_as_read(roots[0], sources, frozenset())) if len(roots) == 1 else []


def _as_read(document: Document, sources: dict[str, Document], above: frozenset[str]) -> Iterator[Key]:
    inputs = [(match.start(), match[1]) for match in _INPUT.finditer(body(document))]
    cited = [(key.start, key) for key in citations(document)]
    for _, found in sorted([*inputs, *cited], key=lambda pair: pair[0]):
        if isinstance(found, Key):
            yield found
            continue
        inner = sources.get(found) or sources.get(f"{found}.tex")
        if inner and inner.path not in above | {document.path}:
            yield from _as_read(inner, sources, above | {document.path})
