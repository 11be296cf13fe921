"""Texts to compare: the live LaTeX of seeds, files of a folder, lines of a file; with the place of every word."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lattice_env.errors import DataError
from lattice_env.model import PaperSeed
from lattice_env.verifier.latex import TOKEN, Document, decode

WORDS = re.compile(r"\\[A-Za-z@]+|[^\W_]+")
"""A command, a word, or a number."""
TOKENS = TOKEN
"""A token of LaTeX, signs and braces included: what tells formulas apart."""


@dataclass(frozen=True)
class Piece:
    """A stretch of text that was read in one go."""

    file: str
    first_line: int
    text: str


@dataclass(frozen=True)
class Text:
    """One document of a split: a seed, a file, a line."""

    name: str
    pieces: tuple[Piece, ...]
    units: re.Pattern[str] = WORDS

    @property
    def words(self) -> list[str]:
        """Its units in order, upper and lower case alike; read anew each time, for thousands of texts would not fit."""
        return [match[0].casefold() for piece in self.pieces for match in self.units.finditer(piece.text)]

    def place(self, number: int) -> str:
        """Where the unit of this number stands: file and line."""
        left = number
        for piece in self.pieces:
            starts = [match.start() for match in self.units.finditer(piece.text)]
            if left < len(starts):
                newlines = [match.start() for match in re.finditer("\n", piece.text)]
                return f"{piece.file}:{piece.first_line + bisect_right(newlines, starts[left])}"
            left -= len(starts)
        message = f"{self.name} has no unit {number}"
        raise IndexError(message)


def seed_text(seed: PaperSeed) -> Text:
    """The live LaTeX of a seed: no comments, nothing switched off, no bibliography files."""
    paths = sorted(path for path in seed.files if path.endswith(".tex"))
    return Text(seed.name, tuple(_piece(path, seed.files[path]) for path in paths))


def read_texts(place: Path, *, tokens: bool = False) -> list[Text]:
    """The texts of a folder, a file each, or of a file, a line each; DataError where there is none.

    Of a `.tex` file the live text counts. Empty lines, and files without a word, are left out.
    """
    units = TOKENS if tokens else WORDS
    try:
        texts = list(_lines(place, units) if place.is_file() else _files(place, units))
    except OSError as error:
        message = f"{place}: {error.strerror}"
        raise DataError(message) from error
    if not texts:
        message = f"{place}: no text here"
        raise DataError(message, hint="name a folder of text files, or a file with a text a line")
    return texts


def _lines(path: Path, units: re.Pattern[str]) -> Iterator[Text]:
    for number, line in enumerate(decode(path.read_bytes()).split("\n"), 1):
        if units.search(line):
            yield Text(f"{path.name}:{number}", (Piece(path.name, number, line),), units)


def _files(folder: Path, units: re.Pattern[str]) -> Iterator[Text]:
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not any(part.startswith(".") for part in name.split("/")):
            data = path.read_bytes()
            # A picture or another file that is not text has zero bytes.
            if b"\0" not in data and units.search((piece := _piece(name, data)).text):
                yield Text(name, (piece,), units)


def _piece(path: str, data: bytes) -> Piece:
    text = decode(data).replace("\r\n", "\n")
    return Piece(path, 1, Document(path, text).live if path.endswith(".tex") else text)
