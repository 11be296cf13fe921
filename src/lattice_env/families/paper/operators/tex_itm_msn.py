"""TEX-ITM-MSN: an item stands behind its list."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.verifier.latex import Document, Environment, environments
from lattice_env.verifier.selftests import Replacement

_ITEM = re.compile(r"[ \t]*\\item(?![A-Za-z@])")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every item of the outermost lists that have more than one."""
    for document in paper.tex:
        code = body(document)
        inner = [e for e in environments(code) if e.name != "document"]
        for list_ in inner:
            lonely = not any(e.begin < list_.begin < e.end for e in inner)
            if lonely and list_.name in ("itemize", "enumerate", "description"):
                yield from _moved(document, list_, _items(code, list_, inner))


def _items(code: str, list_: Environment, inner: list[Environment]) -> list[int]:
    """Where the items of the list itself begin, those of nested lists left out."""
    nested = [e for e in inner if list_.begin < e.begin < list_.end]
    starts = (match.start() for match in _ITEM.finditer(code, list_.body, list_.body_end))
    return [start for start in starts if not any(e.begin < start < e.end for e in nested)]


def _moved(document: Document, list_: Environment, starts: list[int]) -> Iterator[Mutation]:
    """Each item, with all of its text, put behind the list."""
    last = document.text.rfind("\n", list_.body, list_.body_end) + 1 or list_.body_end
    ends = [*starts[1:], last if not document.text[last : list_.body_end].strip() else list_.body_end]
    if len(starts) > 1:
        for start, end in zip(starts, ends, strict=True):
            item = "\n" + document.text[start:end].rstrip()
            cut = Replacement(document.path, start, end, "")
            yield Mutation((cut, Replacement(document.path, list_.end, list_.end, item)))


OPERATOR = Operator(
    code="TEX-ITM-MSN",
    family=BUILD_REPAIR,
    tier=1,
    category="C8 list misuse",
    summary="An item stands behind its list.",
    sites=sites,
    example=Example(
        "\\begin{itemize}\n  \\item a\n  \\item b\n\\end{itemize}\n",
        "\\begin{itemize}\n  \\item b\n\\end{itemize}\n  \\item a\n",
        "\\begin{itemize}\n  \\item a\n  % \\item b\n\\end{itemize}\n",
    ),
    diagnostic=r"Lonely \\item",
)
