"""How a source is laid out: the lines that something has to itself, and indents."""

from __future__ import annotations

from lattice_env.verifier.latex import Document


def whole_lines(document: Document, start: int, end: int) -> tuple[int, int]:
    """From and to of what stands between two offsets, with its lines where nothing else is on them."""
    first, last = document.line_span(start)[0], document.line_span(max(start, end - 1))[1]
    rest = document.text[first:start] + document.text[end:last]
    return (start, end) if rest.strip() else (first, last)


def indent(document: Document, offset: int) -> str:
    """The white space that begins the line of `offset`."""
    line = document.text[slice(*document.line_span(offset))]
    return line[: len(line) - len(line.lstrip())].strip("\r\n")
