"""Small PNGs of printed pages, written with the standard library, and a check that a PNG is whole."""

from __future__ import annotations

import re
import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"
CHUNK = 12
"""Bytes of a chunk beside its data: length, type, checksum."""

_PGM = re.compile(rb"P5\s+(\d+)\s+(\d+)\s+255\s")
_SIXTEENTHS = bytes(value >> 4 for value in range(256))


def grey_png(pgm: bytes) -> bytes:
    """A PNG of 16 greys from what poppler writes: a quarter of its own PNG's size, and no other look."""
    width, height, pixels = read_pgm(pgm)
    levels = pixels.translate(_SIXTEENTHS)
    rows = (levels[start : start + width] for start in range(0, width * height, width))
    data = b"".join(b"\0" + _packed(row) for row in rows)
    header = struct.pack(">IIBBBBB", width, height, 4, 0, 0, 0, 0)
    parts = [_chunk(b"IHDR", header), _chunk(b"IDAT", zlib.compress(data, 9)), _chunk(b"IEND", b"")]
    return SIGNATURE + b"".join(parts)


def read_pgm(pgm: bytes) -> tuple[int, int, bytes]:
    """Width, height and pixels of a binary PGM with 255 greys; ValueError for anything else."""
    header = _PGM.match(pgm)
    if header is None:
        raise ValueError("not a binary PGM")
    width, height = int(header[1]), int(header[2])
    return width, height, pgm[header.end() : header.end() + width * height]


def _packed(row: bytes) -> bytes:
    even = row + b"\0" * (len(row) % 2)
    return bytes(high << 4 | low for high, low in zip(even[::2], even[1::2], strict=True))


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def is_whole_png(data: bytes) -> bool:
    """Whether `data` is a PNG whose every chunk has its checksum, up to the last: nothing is decoded."""
    position, kind = len(SIGNATURE), b""
    if not data.startswith(SIGNATURE):
        return False
    while kind != b"IEND":
        if position + CHUNK > len(data):
            return False
        length = int.from_bytes(data[position : position + 4], "big")
        end = position + CHUNK + length
        body = data[position + 4 : end - 4]
        if end > len(data) or zlib.crc32(body) != int.from_bytes(data[end - 4 : end], "big"):
            return False
        kind, position = body[:4], end
    return True
