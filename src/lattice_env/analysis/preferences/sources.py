"""LaTeX without what its readers never see: comments, and text that is switched off. Both hold discarded drafts."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.verifier.latex import COMMENT, DEAD, Document


def live_text(text: str, start: int = 0, end: int | None = None) -> str:
    """Characters `start` to `end` of a source, without its comments and its dead text.

    The whole source decides what is a comment, so that a passage that begins inside one is known for what
    it is. A comment that ends a line and touches a word keeps its `%`, without which TeX would see a space.
    """
    end = len(text) if end is None else end
    kept: list[str] = []
    position = start
    for begin, stop in _hidden(text):
        kept.append(text[position : max(position, min(begin, end))])
        position = max(position, min(stop, end))
    return "".join([*kept, text[position:end]])


def _hidden(text: str) -> Iterator[tuple[int, int]]:
    document = Document("paper.tex", text)
    for start, end, letter in document.spans:
        if letter == DEAD:
            yield start, end
        elif letter == COMMENT:
            yield _comment(text, *document.line_span(start), start, end)


def _comment(text: str, line: int, line_end: int, start: int, end: int) -> tuple[int, int]:
    """From and to of what goes with a comment: its whole line where there is nothing else on it."""
    before = text[line:start]
    if not before.strip():
        return line, line_end
    return start + (not before[-1].isspace()), end
