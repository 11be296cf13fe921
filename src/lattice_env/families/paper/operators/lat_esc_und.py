"""LAT-ESC-UND: an underscore in text has lost its backslash."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.operators.tex_cmd_trp import blank, body
from lattice_env.families.paper.operators.tex_mth_dlr import formulas
from lattice_env.verifier.latex import Document, environments
from lattice_env.verifier.selftests import Replacement

_DISPLAY = re.compile(r"(?<!\\)(?:\\\[.*?\\\]|\\\(.*?\\\))|\$\$.*?\$\$", re.DOTALL)
_MATH = re.compile(r"(?:equation|align|gather|multline|eqnarray|flalign|alignat|displaymath|math|array)\*?")
_ADDRESS = re.compile(r"\\(?:url|href|nolinkurl|path|label|ref|includegraphics)\*?\s*(?:\[[^\]]*\])?\s*\{[^{}]*\}")
_ESCAPED = re.compile(r"\\.", re.DOTALL)


def text_of(document: Document) -> str:
    """The body with formulas, addresses and keys blanked; every offset stays."""
    code = body(document)
    spans = [(e.begin, e.end) for e in environments(code) if _MATH.fullmatch(e.name)]
    code = blank(code, [*formulas(code), *spans])
    return blank(code, [m.span() for pattern in (_DISPLAY, _ADDRESS) for m in pattern.finditer(code)])


def unescaped(document: Document, code: str, character: str) -> Iterator[Mutation]:
    """Every escaped `character` of `code`, a text of `document`, without its backslash."""
    for match in _ESCAPED.finditer(code):
        if match[0][1] == character:
            yield Mutation((Replacement(document.path, match.start(), match.end(), character),))


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every `\\_` in the text of the body, unless the paper loads `underscore`, which makes `_` legal."""
    if not any(re.search(r"\\usepackage[^{}]*\{[^{}]*\bunderscore\b", d.code) for d in paper.tex):
        for document in paper.tex:
            yield from unescaped(document, text_of(document), "_")


OPERATOR = Operator(
    code="LAT-ESC-UND",
    family=BUILD_REPAIR,
    tier=1,
    category="C13 special characters / encoding",
    summary="An underscore in text has lost its backslash.",
    sites=sites,
    example=Example(r"the key \texttt{max\_len}", r"the key \texttt{max_len}", r"$a\_b$ % a\_b \verb|a\_b|"),
    diagnostic=r"^Missing \$ inserted",
)
