"""Lengths as they stand in commands and options of a paper."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.verifier.latex import Document, environments

from .places import blank, definitions

_LENGTH = re.compile(
    r"(?:(?<=[{=])|(?<=plus )|(?<=minus )|(?<=\\\\\[))(?P<number>-?\d*\.?\d+)(?P<unit>pt|mm|cm|in|em|ex|bp)(?=[\s}\],])"
)
_CLASS = re.compile(r"\\documentclass\s*\[[^\]]*\]|\\addplot[^;]*;|\\(?:tikzset|pgfplotsset)\s*\{[^\n]*")
_SHARE = re.compile(
    r"\\includegraphics\s*\[[^\]]*?(?:width|height)\s*=\s*(?P<number>0?\.(?P<share>\d\d))\\(?P<of>columnwidth|linewidth|textwidth)"
    r"(?![A-Za-z])"
)


def lengths(document: Document) -> Iterator[re.Match[str]]:
    """Every length with a number and a unit in an argument or an option, pictures apart: groups number and unit."""
    code = blank(document.code, definitions(document.code))
    pictures = ((e.begin, e.end) for e in environments(code) if e.name == "tikzpicture")
    return _LENGTH.finditer(blank(code, [*pictures, *(match.span() for match in _CLASS.finditer(code))]))


def shares(document: Document) -> Iterator[re.Match[str]]:
    """Every width of a figure that is a share of another, of two digits: groups number, share and of."""
    return _SHARE.finditer(blank(document.code, definitions(document.code)))
