"""LAT-REF-SWP: two references of one kind exchange their targets. References are read here too."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, pairwise

from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.verifier.latex import Document, Environment, environments, group_end
from lattice_env.verifier.selftests import Replacement

_DEFINITION = re.compile(
    r"\\(?:(?:re|provide)?newcommand|providecommand|DeclareRobustCommand)\*?\s*(?:\{\s*\\[A-Za-z@]+\s*\}|\\[A-Za-z@]+)"
    r"(?:\s*\[[^\]]*\]){0,2}\s*(?=\{)"
    r"|\\[gex]?def\s*\\[A-Za-z@]+[^{}]*(?=\{)"
    r"|\\(?:re)?newenvironment\*?\s*\{[^{}]*\}(?:\s*\[[^\]]*\]){0,2}\s*(?=\{)"
    r"|\\(?:New|Renew|Provide|Declare)DocumentCommand\s*\{?\s*\\[A-Za-z@]+\s*\}?\s*(?=\{)"
)
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


@functools.cache
def body(document: Document) -> str:
    """The live code behind the preamble, bodies of macro definitions blanked; every offset stays."""
    code = " " * document.body_start + document.code[document.body_start :]
    for start, end in definitions(document.code):
        if start >= document.body_start:
            code = code[:start] + re.sub(r"[^\n]", " ", code[start:end]) + code[end:]
    return code


def definitions(code: str) -> Iterator[tuple[int, int]]:
    """From and to of every definition of a command or an environment."""
    for head in _DEFINITION.finditer(code):
        end = head.end()
        for _ in range(2 if "nvironment" in head[0] or "DocumentCommand" in head[0] else 1):
            group = re.compile(r"\s*(?=\{)").match(code, end)
            end = (group and group_end(code, group.end())) or end
        yield head.start(), end


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


def sites(paper: Paper) -> Iterator[Mutation]:
    """Each pair of neighbouring uses, in one file, of different labels of one kind; lists left alone."""
    kind_of = kinds(paper)
    for document in paper.tex:
        uses = [use for use in single_references(document) if use.text in kind_of]
        by_kind = groupby(sorted(uses, key=lambda use: kind_of[use.text]), lambda use: kind_of[use.text])
        rows = [list(row) for _, row in by_kind]
        pairs = sorted((pair for row in rows for pair in pairwise(row)), key=lambda p: p[0].start)
        for first, second in pairs:
            if first.text != second.text and not is_symmetric(document, first, second):
                yield Mutation((first.replaced(second.text), second.replaced(first.text)))


OPERATOR = Operator(
    code="LAT-REF-SWP",
    family=REFERENCE_HYGIENE,
    tier=3,
    category="C17 reference / citation",
    summary="Two references of one kind exchange their targets.",
    sites=sites,
    example=Example(
        r"\begin{equation}\label{a}x\end{equation}\begin{equation}\label{b}y\end{equation}"
        r"By~\eqref{a} we are done, unlike in~\eqref{b}.",
        r"\begin{equation}\label{a}x\end{equation}\begin{equation}\label{b}y\end{equation}"
        r"By~\eqref{b} we are done, unlike in~\eqref{a}.",
        r"\begin{equation}\label{a}x\end{equation}\begin{figure}\label{b}\end{figure}\begin{figure}\label{c}\end{figure}"
        "\n"
        r"\ref{a} is in \ref{b}; \ref{b} and~\ref{c}; \verb|\ref{a} is \ref{c}| % \ref{c} is not \ref{b}",
    ),
    changes=("links", "text"),
)
