"""LAT-VRB-ARG: a verbatim text stands in an argument."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.verifier.latex import Document, commands, group_end
from lattice_env.verifier.selftests import Replacement

_VERB = re.compile(r"\\verb([^A-Za-z*\s])[^\n\r]*?\1")
_WORD = re.compile(r"\\texttt\{((?:[A-Za-z0-9.,;:/ -]|\\[_#%&])+)\}")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every `\\verb`, emphasized, and every simple `\\texttt` in an argument, as `\\verb`."""
    for document in paper.tex:
        arguments = list(_arguments(document))
        edits = [*_quoted(document)]
        edits += [edit for edit in _typewriter(document) if any(a < edit.start < b for a, b in arguments)]
        for edit in sorted(edits, key=lambda edit: edit.start):
            yield Mutation((edit,))


def _quoted(document: Document) -> Iterator[Replacement]:
    for match in commands(body(document), "verb"):
        if verb := _VERB.match(document.text, match.start()):
            yield Replacement(document.path, *verb.span(), rf"\emph{{{verb[0]}}}")


def _typewriter(document: Document) -> Iterator[Replacement]:
    for match in _WORD.finditer(body(document)):
        verbatim = re.sub(r"\\(?=[_#%&])", "", match[1])
        yield Replacement(document.path, *match.span(), rf"\verb|{verbatim}|")


def _arguments(document: Document) -> Iterator[tuple[int, int]]:
    """From and to of the arguments of footnotes, captions, titles and emphases."""
    code = body(document)
    for match in commands(code, "footnote|caption|section|subsection|emph|textbf|textit"):
        end = group_end(code, match.end()) if code.startswith("{", match.end()) else None
        if end is not None:
            yield match.end(), end


OPERATOR = Operator(
    code="LAT-VRB-ARG",
    family=BUILD_REPAIR,
    tier=2,
    category="C14 verbatim",
    summary="A verbatim text stands in an argument.",
    sites=sites,
    example=Example(
        r"\footnote{See \texttt{a\_b}.}",
        r"\footnote{See \verb|a_b|.}",
        r"% \footnote{\texttt{a}} \texttt{b} \verbatim \footnote{\texttt{$c$}}",
    ),
    diagnostic=(
        r"\\verb (?:illegal in (?:command )?argument|ended by end of line)|^Missing \$ inserted"
        r"|^Argument of \\Hy@tempa"
    ),
)
