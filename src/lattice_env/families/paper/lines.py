"""Lines of a source, and what stands alone on one."""

from __future__ import annotations

from lattice_env.verifier.latex import Document
from lattice_env.verifier.selftests import Replacement


def taken_out(document: Document, start: int, end: int) -> Replacement:
    """The edit that takes a part of the text out, with its line where it stands alone on it."""
    first, last = document.line_span(start)
    alone = document.text[first:last].strip() == document.text[start:end]
    return Replacement(document.path, *((first, last) if alone else (start, end)), "")


def put_behind(document: Document, offset: int, text: str) -> Replacement:
    """The edit that puts `text` behind an offset: on a line of its own where the offset ends one."""
    rest = document.text[offset : document.line_span(offset)[1]]
    return Replacement(document.path, offset, offset, f"\n{text}" if not rest.strip() else text)


def put_before(document: Document, offset: int, text: str) -> Replacement:
    """The edit that puts `text` before an offset: on a line of its own where the offset begins one."""
    indent = document.text[document.line_span(offset)[0] : offset]
    return Replacement(document.path, offset, offset, text if indent.strip() else f"{text}\n{indent}")
