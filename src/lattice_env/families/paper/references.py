"""Labels, references and citations as they stand in the sources of a paper."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from lattice_env.verifier.latex import Document, Environment, environments, group_end
from lattice_env.verifier.selftests import Replacement

from .operator import Paper
from .places import body

_SINGLE = r"ref|eqref|pageref|autoref|nameref|[vV]ref|[cC]ref|cpageref"
_USE = re.compile(
    rf"\\(?:(?P<one>(?:{_SINGLE})\*?)\s*\{{(?P<keys>[^{{}}]*)\}}"
    r"|(?P<two>(?:[cC]refrange|cpagerefrange)\*?)\s*\{(?P<first>[^{}]*)\}\s*\{(?P<last>[^{}]*)\})"
)
_KEY = re.compile(r"[^,\s](?:[^,]*[^,\s])?")
_LABEL = re.compile(r"\\label\s*(?:\[[^\]]*\]\s*)?\{\s*([^{}]*[^{}\s])\s*\}")
_HEADING = re.compile(r"\\(?:part|chapter|(?:sub){0,2}section|paragraph)(?:\s*\[[^\]]*\])?\s*(?=\{)")

KINDS = {
    **dict.fromkeys(("figure", "wrapfigure", "sidewaysfigure", "SCfigure"), "figure"),
    **dict.fromkeys(("table", "longtable", "wraptable", "sidewaystable"), "table"),
    **dict.fromkeys(("equation", "align", "gather", "multline", "eqnarray", "flalign", "alignat"), "equation"),
}
"""What the label in such an environment names; an environment that is not here is its own kind."""
_CELLS = {"tabular", "tabularx", "array", "split", "aligned", "alignedat", "gathered", "cases"}
_BLOCKS = {"center", "minipage", "flushleft", "flushright", "small", "threeparttable", "adjustbox", "quote"}
TRANSPARENT = frozenset({"document", "abstract", "proof"} | _CELLS | _BLOCKS)
"""Environments in which a label names what it would name outside of them."""
FLOATS = ("figure", "table")

NOUN = (
    r"(?:Figure|Fig\.|Table|Tab\.|Section|Sec\.|Appendix|Equation|Eq\.|Theorem|Lemma|Corollary|Definition"
    r"|Proposition|Algorithm|Listing|Line)"
)
_LINK = re.compile(rf"[\s~,(]*(?:and|or|to|with|through|--?)?[\s~(]*(?:{NOUN}[\s~(]*)?", re.IGNORECASE)
_CITATION = re.compile(
    r"\\((?:[cC]ite(?:t|p|alt|alp|author|year|yearpar|title)?|(?:[pP]aren|[tT]ext|[aA]uto|[fF]oot|[sS]mart|[sS]uper)cite"
    r"|footcitetext|fullcite)\*?)(?:\s*\[(?:[^\][{}]|\{[^{}]*\})*\]){0,2}\s*\{([^{}]*)\}"
)


@dataclass(frozen=True)
class Key:
    """One key in a reference or a citation, and the command that holds it."""

    path: str
    command: str
    text: str
    start: int
    end: int
    span: tuple[int, int]
    """The whole command, from its backslash to its last brace."""
    siblings: tuple[str, ...]
    """All keys of the command, in order, this one among them."""

    def replaced(self, key: str) -> Replacement:
        """The edit that puts another key in the place of this one."""
        return Replacement(self.path, self.start, self.end, key)


@dataclass(frozen=True)
class Label:
    """One live label command: its key with its place, what it names, and the environment that numbers it."""

    path: str
    key: str
    start: int
    end: int
    key_start: int
    key_end: int
    kind: str
    environment: Environment | None


def keys_in(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """From and to of each key of a comma-separated list that stands between two offsets."""
    return [match.span() for match in _KEY.finditer(text, start, end)]


def references(document: Document) -> Iterator[Key]:
    """Every key of every live reference, in order; lists and ranges give each of their keys."""
    code = body(document)
    for use in _USE.finditer(code):
        groups = ("keys",) if use["one"] else ("first", "last")
        spans = [span for group in groups for span in keys_in(code, *use.span(group))]
        siblings = tuple(code[a:b] for a, b in spans)
        for a, b in spans:
            yield Key(document.path, use["one"] or use["two"], code[a:b], a, b, use.span(), siblings)


def single_references(document: Document) -> Iterator[Key]:
    """Those references that hold one key alone."""
    return (key for key in references(document) if len(key.siblings) == 1)


def labels(paper: Paper) -> list[Label]:
    """Every live label, file by file, in order."""
    return [label for document in paper.tex for label in _labels_of(document)]


def _labels_of(document: Document) -> Iterator[Label]:
    code = body(document)
    pairs = environments(code)
    headings = {_blank_end(code, group_end(code, match.end())) for match in _HEADING.finditer(code)}
    for match in _LABEL.finditer(code):
        around = (e for e in pairs if e.body <= match.start() < e.body_end)
        inner = [e for e in around if e.name.rstrip("*") not in TRANSPARENT]
        name = inner[-1].name.rstrip("*") if inner else "section" if match.start() in headings else "text"
        kind, owner = KINDS.get(name, name), inner[-1] if inner else None
        yield Label(document.path, match[1], *match.span(), *match.span(1), kind, owner)


def _blank_end(code: str, start: int | None) -> int:
    """The offset of what follows the white space at `start`; -1 for no offset."""
    return -1 if start is None else len(code) - len(code[start:].lstrip())


def kinds(paper: Paper) -> dict[str, str]:
    """What each label of the paper names: figure, table, section, equation, theorem or such."""
    return {label.key: label.kind for label in labels(paper)}


def is_symmetric(document: Document, first: Key, second: Key) -> bool:
    """Whether two uses stand in one list, joined by no more than `and`: exchange changes nothing."""
    return bool(_LINK.fullmatch(body(document), first.span[1], second.span[0]))


def citations(document: Document) -> Iterator[Key]:
    """Every key of every live citation, in order; optional arguments passed over, `cites` left alone."""
    code = body(document)
    for match in _CITATION.finditer(code):
        spans = keys_in(code, *match.span(2))
        siblings = tuple(code[a:b] for a, b in spans)
        for a, b in spans:
            yield Key(document.path, match[1], code[a:b], a, b, match.span(), siblings)


def float_labels(paper: Paper) -> list[Label]:
    """The labels of figures and tables that have exactly one; those of subfigures are not among them."""
    found = [label for label in labels(paper) if label.kind in FLOATS]
    count = Counter((label.path, label.environment) for label in found)
    return [label for label in found if count[label.path, label.environment] == 1]


def likeness(one: str, other: str) -> float:
    """How easily one key is taken for another: 1 for the same key, 0 for nothing in common."""
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def renamed(label: Label, key: str) -> Replacement:
    """The edit that gives a label another key."""
    return Replacement(label.path, label.key_start, label.key_end, key)
