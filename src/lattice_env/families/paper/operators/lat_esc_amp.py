"""LAT-ESC-AMP: an ampersand in text has lost its backslash."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import blank, text_of, unescaped
from lattice_env.verifier.latex import environments, group_end

_ALIGNMENT = re.compile(r"(?:tab(?:u|bing)|longtab|array|[bBpvV]?matrix|cases|supertab|xltab|tblr|deluxe).*")
_ALIGNED_ARGUMENT = re.compile(r"\\(?:author|IEEEauthorblock[AN]|shortstack|makecell|thead|substack)\s*(?=\{)")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every `\\&` in the text of the body that stands in no table: there it would make a column."""
    for document in paper.tex:
        code = text_of(document)
        tables = [(e.begin, e.end) for e in environments(code) if _ALIGNMENT.fullmatch(e.name)]
        heads = [(m.end(), group_end(code, m.end()) or m.end()) for m in _ALIGNED_ARGUMENT.finditer(code)]
        yield from unescaped(document, blank(code, [*tables, *heads]), "&")


OPERATOR = Operator(
    code="LAT-ESC-AMP",
    family=BUILD_REPAIR,
    tier=1,
    category="C13 special characters / encoding",
    summary="An ampersand in text has lost its backslash.",
    sites=sites,
    example=Example(
        r"a short Q\&A here",
        r"a short Q&A here",
        "% Q\\&A\n\\verb|Q\\&A|\n\\begin{tabular}{l}Q\\&A\\end{tabular}",
    ),
    diagnostic=r"^Misplaced alignment tab character &",
)
