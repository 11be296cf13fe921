"""TEX-UNT-CHG: a length in the source is one unit more."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import SILENT_CHANGE, Example, Mutation, Operator, Paper
from lattice_env.verifier.selftests import Replacement

_LENGTH = re.compile(r"(?<![\w.\\])(\d+)(?:\.\d+)?(?:pt|cm|mm|em|ex|in)(?![A-Za-z])")
_CLASS = re.compile(r"\\documentclass[^\n]*")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every length in live code, outside of the class's options; its whole part grows by one."""
    for document in paper.tex:
        found = _CLASS.search(document.code)
        start, end = found.span() if found else (0, 0)
        for match in _LENGTH.finditer(document.code):
            if not start <= match.start() < end:
                more = str(int(match[1]) + 1)
                yield Mutation((Replacement(document.path, match.start(1), match.end(1), more),))


OPERATOR = Operator(
    code="TEX-UNT-CHG",
    family=SILENT_CHANGE,
    tier=2,
    category="C15 dimension / counter",
    summary="A length in the source is one unit more.",
    sites=sites,
    example=Example(r"\hspace{2em}", r"\hspace{3em}", r"% \hspace{2em} \verb|2pt| a 3inch nail, 2.emph"),
    changes=("pages",),
)
