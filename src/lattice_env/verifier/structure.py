"""What a paper is made of: sections, floats, equations, items, notes, fonts, files, citations, labels, references."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .distance import align
from .words import CITATIONS, REFERENCES

_ENVIRONMENTS = (
    "figure|table|subfigure|subtable|longtable|tabular|tabularx|algorithm|algorithmic|lstlisting|wrapfigure"
    "|equation|align|alignat|gather|multline|flalign|eqnarray|cases|matrix|pmatrix|bmatrix|split|aligned"
    "|itemize|enumerate|description|abstract|tikzpicture|verbatim|quote|quotation"
    "|theorem|lemma|proposition|corollary|definition|remark|example|proof|keywords|IEEEkeywords|thebibliography"
)
_ITEM = re.compile(
    rf"\\begin\s*\{{(?P<environment>(?:{_ENVIRONMENTS})\*?)\}}"
    r"|\\(?P<section>part|chapter|section|subsection|subsubsection|paragraph|subparagraph)(?P<star>\*?)(?![A-Za-z@])"
    r"|\\(?P<file>includegraphics|input|include|bibliography|addbibresource)(?![A-Za-z@])\*?"
    r"\s*+(?:\[[^\]]*+\])?+\s*+\{?+\s*+(?P<path>[^\s{}]*)"
    r"|\\(?P<plain>item|footnote|caption|label|printbibliography|maketitle|appendix|title|author|tableofcontents"
    r"|emph|textbf|textit|texttt|textsc|textsf|underline|url|href)(?![A-Za-z@])"
    rf"|\\(?P<citation>{CITATIONS})(?![A-Za-z@])|\\(?P<reference>{REFERENCES})(?![A-Za-z@])"
    r"|(?P<display>\\\[)|\\\\"
)
_ENDING = r"\.(?:pdf|png|jpe?g|eps|tex|bib)$"
_ENTRY = re.compile(r"^[ \t]*@(?P<type>[A-Za-z]+)\s*[{(]", re.MULTILINE)


@dataclass(frozen=True)
class Item:
    """One thing that a paper has: its kind, and where."""

    kind: str
    offset: int


def items(code: str, path: str) -> list[Item]:
    """The structure of one file's live code, in order."""
    if path.endswith(".bib"):
        return [Item("entry", match.start()) for match in _ENTRY.finditer(code) if _is_entry(match["type"])]
    return [Item(_kind(match), match.start()) for match in _ITEM.finditer(code) if match.lastgroup]


def first_missing(wanted: Sequence[Item], found: Sequence[Item]) -> Item | None:
    """The first of `wanted` that is not in `found` where their order puts it, or None."""
    rest = iter(item.kind for item in found)
    if all(any(kind == item.kind for kind in rest) for item in wanted):
        return None
    steps = align([item.kind for item in wanted], [item.kind for item in found])
    return next(wanted[start] for tag, start, end, _, _ in steps if tag != "equal" and start < end)


def _kind(match: re.Match[str]) -> str:
    if match["file"]:
        return f"{match['file']} {re.sub(_ENDING, '', match['path'])}"
    if match["section"]:
        return match["section"] + match["star"]
    if match["citation"] or match["reference"]:
        return "citation" if match["citation"] else "reference"
    return match["environment"] or match["plain"] or "display"


def _is_entry(kind: str) -> bool:
    return kind.lower() not in ("comment", "string", "preamble")
