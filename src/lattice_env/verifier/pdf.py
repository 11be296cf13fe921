"""Just enough of PDF (ISO 32000-1, 7.5) to count pages and list their links in order."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator

Objects = dict[int, bytes]

MOST_BYTES = 64 << 20
"""How much of compressed object streams is unpacked, in all."""

_OBJECT = re.compile(rb"(?<!\d)(\d{1,10}) \d{1,5} obj\b")
_LENGTH = re.compile(rb"/Length (\d+)(?!\d| \d+ R)")
_PAIR = re.compile(rb"(\d+) (\d+)")
_REFERENCE = re.compile(rb"(\d+) \d+ R")
_DESTINATION = re.compile(rb"/S\s*/GoTo\s*/D\s*\(((?:\\.|[^\\()])*)\)", re.DOTALL)


def read_objects(pdf: bytes) -> Objects:
    """Every object by number, streams unpacked where they hold objects; ValueError on a broken file."""
    found: Objects = {}
    packed: list[tuple[bytes, bytes]] = []
    position = 0
    while match := _OBJECT.search(pdf, position):
        end = pdf.find(b"endobj", match.end())
        stream = pdf.find(b"stream", match.end(), end if end > 0 else len(pdf))
        body = pdf[match.end() : end if end > 0 else len(pdf)]
        position = match.end() + len(body)
        if stream > 0 and (length := _LENGTH.search(pdf, match.end(), stream)):
            start = stream + len(b"stream") + (2 if pdf[stream + 6 : stream + 8] == b"\r\n" else 1)
            position = start + int(length[1])
            body = pdf[match.end() : stream]
            if b"/ObjStm" in body:
                packed.append((body, pdf[start:position]))
        found[int(match[1])] = body
    for header, data in packed:
        found.update(_unpack(header, data))
    return found


def _unpack(header: bytes, data: bytes) -> Objects:
    first = re.search(rb"/First (\d+)", header)
    if first is None:
        message = "an object stream without /First"
        raise ValueError(message)
    if b"/FlateDecode" in header:
        try:
            data = zlib.decompressobj().decompress(data, MOST_BYTES)
        except zlib.error as error:
            message = f"an object stream that does not unpack: {error}"
            raise ValueError(message) from error
    start = int(first[1])
    pairs = [(int(number), int(offset)) for number, offset in _PAIR.findall(data[:start])]
    ends = [offset for _, offset in pairs[1:]] + [len(data) - start]
    bodies = (data[start + offset : start + end] for (_, offset), end in zip(pairs, ends, strict=True))
    return dict(zip((number for number, _ in pairs), bodies, strict=True))


def pages(objects: Objects) -> list[bytes]:
    """The page objects in reading order; ValueError where there is no page tree."""
    catalog = next((body for body in objects.values() if re.search(rb"/Type\s*/Catalog", body)), None)
    root = re.search(rb"/Pages (\d+) \d+ R", catalog) if catalog else None
    if root is None:
        message = "a PDF without a page tree"
        raise ValueError(message)
    return list(_walk(objects, int(root[1]), set()))


def _walk(objects: Objects, number: int, seen: set[int]) -> Iterator[bytes]:
    """The pages below a node; ValueError where a node is met twice, for a tree has none."""
    if number in seen:
        message = f"a page tree that meets object {number} twice"
        raise ValueError(message)
    seen.add(number)
    body = objects.get(number, b"")
    kids = re.search(rb"/Kids\s*\[([^\]]*)\]", body)
    if kids is None:
        yield body
        return
    for kid in _REFERENCE.findall(kids[1]):
        yield from _walk(objects, int(kid), seen)


def link_targets(objects: Objects) -> list[str]:
    """The names of the destinations that links on the pages lead to, page by page, in their order."""
    return [target for page in pages(objects) for target in _page_targets(objects, page)]


def _page_targets(objects: Objects, page: bytes) -> Iterator[str]:
    inline = re.search(rb"/Annots\s*\[([^\]]*)\]", page)
    apart = re.search(rb"/Annots (\d+) \d+ R", page)
    listed = inline[1] if inline else objects.get(int(apart[1]), b"") if apart else b""
    for number in _REFERENCE.findall(listed):
        target = _DESTINATION.search(objects.get(int(number), b""))
        if target:
            yield target[1].decode("latin-1")
