"""TEX-BRC-STR: an opening brace too many."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import blank, body, formulas, groups
from lattice_env.verifier.latex import environments
from lattice_env.verifier.selftests import Replacement

_WORD = re.compile(r"(?<![\\A-Za-z@])[A-Za-z]{2,}")
_LINE = re.compile(r"[^\s\\%\[\]}].*\S")
_LEAST = 12
_SHARE = 0.6


def sites(paper: Paper) -> Iterator[Mutation]:
    """The first word behind the middle of every line of text that lies where TeX misses the closing brace.

    That is in an argument, a formula or an environment; pictures, which read braces in their own way, are left out.
    """
    for document in paper.tex:
        code = body(document)
        code = blank(code, ((e.begin, e.end) for e in environments(code) if e.name == "tikzpicture"))
        guarded = list(_guarded(code))
        for line in re.finditer(r"[^\n]+", code):
            text = _LINE.match(code, line.start() + len(line[0]) - len(line[0].lstrip()), line.end())
            if text is None or len(text[0]) < _LEAST:
                continue
            word = _WORD.search(code, text.start() + int(_SHARE * len(text[0])), line.end())
            if word and any(a <= word.start() < b for a, b in guarded):
                yield Mutation((Replacement(document.path, word.start(), word.start(), "{"),))


def _guarded(code: str) -> Iterator[tuple[int, int]]:
    """From and to of everything in which a group must end."""
    yield from formulas(code)
    yield from ((e.body, e.body_end) for e in environments(code) if e.name != "document")
    yield from ((a, b) for a, b in groups(code) if re.match(r"[A-Za-z*\]}]", code[a - 1 : a]))


OPERATOR = Operator(
    code="TEX-BRC-STR",
    family=BUILD_REPAIR,
    tier=1,
    category="C1 unbalanced group / brace",
    summary="An opening brace too many.",
    sites=sites,
    example=Example(
        "\\begin{quote}\nAll of them were found in time.\n\\end{quote}\n",
        "\\begin{quote}\nAll of them were found {in time.\n\\end{quote}\n",
        (
            "Plain text, all of them found in time.\n% \\emph{All of them were found in time}\n"
            "\\begin{verbatim}\nAll of them were found in time.\n\\end{verbatim}\n"
        ),
    ),
    diagnostic=(
        r"^Missing \} inserted|^Paragraph ended before|^File ended while scanning use of"
        r"|^Extra \}, or forgotten \\endgroup"
    ),
)
