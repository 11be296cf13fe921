"""The bibliography: entries that do not parse, keys, and characters that TeX reads otherwise than they were meant."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from lattice_env.verifier.latex import Document
from lattice_env.verifier.words import CITATIONS

from .scene import Change, Scene

_ENTRY = re.compile(r"^[ \t]*@(?P<kind>[A-Za-z]+)[ \t]*\{[ \t]*(?P<key>[^,\s{}=]*)(?P<comma>,?)", re.MULTILINE)
_FIELD = re.compile(r"^[ \t]*(?P<name>[A-Za-z][\w-]*)[ \t]*=[ \t]*(?=[{\"\w])", re.MULTILINE)
_UNPRINTED = ("url", "doi", "eprint", "file", "isbn", "issn", "crossref", "date", "urldate")


@dataclass(frozen=True)
class Field:
    """One field: its name, and where its value stands, the closing comma not included."""

    name: str
    start: int
    end: int


@dataclass(frozen=True)
class Entry:
    """One entry of a bibliography file."""

    kind: str
    key: str
    start: int
    head: int
    """The offset behind its key and comma."""
    end: int
    fields: tuple[Field, ...]


def entries(document: Document) -> list[Entry]:
    """The entries of a file, each from its `@` to the next one, whether they parse or not."""
    found = [m for m in _ENTRY.finditer(document.text) if m["kind"].lower() not in ("comment", "string", "preamble")]
    made: list[Entry] = []
    for match, following in zip_longest(found, found[1:]):
        end = following.start() if following else len(document.text)
        body_end = match.end() + len(document.text[match.end() : end].rstrip())
        made.append(
            Entry(
                match["kind"],
                match["key"],
                match.start(),
                match.end(),
                body_end,
                tuple(_fields(document.text, match.end(), body_end)),
            )
        )
    return made


def _fields(text: str, start: int, end: int) -> Iterator[Field]:
    heads = list(_FIELD.finditer(text, start, end))
    for head, following in zip_longest(heads, heads[1:]):
        stop = following.start() if following else end
        yield Field(head["name"].lower(), head.end(), head.end() + len(text[head.end() : stop].rstrip()))


def syntax(scene: Scene) -> Iterator[Change]:
    """A comma, a brace or a key that an entry lacks, or a brace that it has twice."""
    for document in scene.bibliographies.values():
        for entry in entries(document):
            yield from _entry_syntax(scene, document, entry)


def _entry_syntax(scene: Scene, document: Document, entry: Entry) -> Iterator[Change]:
    text = document.text
    if not entry.key and entry.fields:
        missing = sorted(cited(scene) - keys(scene))
        if len(missing) == 1:
            at = text.index("{", entry.start) + 1
            yield Change(document.path, ((at, at, f"{missing[0]},"),), f"the entry of {missing[0]} has no key")
        return
    for place, field in enumerate(entry.fields):
        is_last = place + 1 == len(entry.fields)
        yield from _field_syntax(document, field, is_last=is_last)
    last = entry.fields[-1] if entry.fields else None
    if last and _depth(text[last.start : entry.end]) == 0 and not text[: entry.end].endswith("}\n}"):
        closing = re.search(r"\}\s*\}\s*$", text[last.start : entry.end])
        if not closing or text[entry.end - 1] != "}" or _depth(text[text.index("{", entry.start) : entry.end]) > 0:
            yield Change(document.path, ((entry.end, entry.end, "\n}"),), f"the entry {entry.key} is never closed")


def _field_syntax(document: Document, field: Field, *, is_last: bool) -> Iterator[Change]:
    text = document.text
    value = text[field.start : field.end]
    if is_last:
        value = re.sub(r"\s*\}\s*$", "", value) if _depth(value) < 0 or re.search(r"\n\s*\}\s*$", value) else value
    body = value.rstrip().removesuffix(",").rstrip()
    end = field.start + len(body)
    if body.startswith("{") and _depth(body) > 0:
        yield Change(document.path, ((end, end, "}"),), f"the field {field.name} is never closed")
    elif body.startswith("{") and (early := _early_close(body)) is not None:
        at = field.start + early
        yield Change(document.path, ((at, at + 1, ""),), f"a closing brace in {field.name} is there twice")
    elif not is_last and not value.rstrip().endswith(","):
        yield Change(document.path, ((end, end, ","),), f"no comma behind {field.name}")


def _depth(text: str) -> int:
    flat = re.sub(r"\\[{}]", "  ", text)
    return flat.count("{") - flat.count("}")


def _early_close(body: str) -> int | None:
    """The brace that closes a field before its end."""
    depth = 0
    for place, letter in enumerate(body):
        depth += (letter == "{") - (letter == "}")
        if depth == 0 and place < len(body) - 1 and body[place - 1] == "}":
            return place
    return None


def cited(scene: Scene) -> set[str]:
    """The keys that the paper cites."""
    found = re.findall(rf"\\{CITATIONS}\*?\s*(?:\[[^\]]*\])*\s*\{{([^{{}}]*)\}}", scene.code)
    return {key.strip() for keys_ in found for key in keys_.split(",") if key.strip() and key.strip() != "*"}


def keys(scene: Scene) -> set[str]:
    """The keys that the bibliography has."""
    return {entry.key for document in scene.bibliographies.values() for entry in entries(document)}


def repeated(scene: Scene) -> Iterator[Change]:
    """An entry with another's key, where one cited key alone has no entry."""
    found = scene.bibliographies.get(scene.failure.file)
    missing = sorted(cited(scene) - keys(scene))
    if "Repeated entry" not in scene.failure.message or found is None or len(missing) != 1:
        return
    start = scene.line_start(found, scene.failure.line)
    for entry in entries(found):
        if entry.start >= start:
            at = found.text.index(entry.key, entry.start)
            yield Change(
                found.path, ((at, at + len(entry.key), missing[0]),), f"{missing[0]} is cited and has no entry"
            )
            return


def letter_case(scene: Scene) -> Iterator[Change]:
    """A citation whose key has other capitals than its entry."""
    if "Case mismatch" not in scene.failure.message:
        return
    known_keys = {key.lower(): key for key in keys(scene)}
    for document in scene.documents.values():
        for match in re.finditer(rf"\\{CITATIONS}\*?\s*(?:\[[^\]]*\])*\s*\{{([^{{}}]*)\}}", document.code):
            for key in re.finditer(r"[^,\s]+", match[1]):
                meant = known_keys.get(key[0].lower(), key[0])
                if meant != key[0]:
                    start = match.start(1) + key.start()
                    yield Change(document.path, ((start, start + len(key[0]), meant),), f"the entry's key is {meant}")


def second(scene: Scene) -> Iterator[Change]:
    """A bibliography that is asked for twice in the same words."""
    if "bibdata" not in scene.failure.message:
        return
    for document in scene.documents.values():
        found = list(re.finditer(r"\\bibliography\{[^{}]*\}", document.code))
        if len(found) == 2 and found[0][0] == found[1][0]:  # noqa: PLR2004 - twice
            start, end = document.line_span(found[0].start())
            alone = document.text[start:end].strip() == found[0][0]
            span = (start, end, "") if alone else (*found[0].span(), "")
            yield Change(document.path, (span,), "the bibliography is asked for twice")


def characters(scene: Scene) -> Iterator[Change]:
    """A field with an address's `%20`, a minus for a dash, or a formula that has lost a dollar; what a bare `&`, `_` or
    `#` was meant to say is a guess.
    """
    for document in scene.bibliographies.values():
        for entry in entries(document):
            for field in entry.fields:
                if field.name not in _UNPRINTED:
                    yield from _bare(document, field)


def _bare(document: Document, field: Field) -> Iterator[Change]:
    value = document.text[field.start : field.end]
    flat = re.sub(r"\$[^$]*\$", lambda match: " " * len(match[0]), re.sub(r"\\.", "  ", value))
    if flat.count("$") == 1:
        found = re.search(r"\$[^$}]*(?=\})", flat)
        if found:
            at = field.start + found.end()
            yield Change(document.path, ((at, at, "$"),), f"the formula in {field.name} is not closed")
        return
    for match in re.finditer(r"%20|(?<=\d)\u2212(?=\d)", flat):
        start, end = field.start + match.start(), field.start + match.end()
        new = {"%20": " ", "\u2212": "--"}[match[0]]
        yield Change(document.path, ((start, end, new),), f"{match[0]} in {field.name} is not text as it stands")
