"""LAT-CIT-SWP: two neighbouring citations exchange their keys. The reading of citations lives here too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.operators.lat_ref_swp import Key, body, is_symmetric, keys_in
from lattice_env.verifier.latex import Document

_CITATION = re.compile(
    r"\\((?:[cC]ite(?:t|p|alt|alp|author|year|yearpar|title)?|(?:[pP]aren|[tT]ext|[aA]uto|[fF]oot|[sS]mart|[sS]uper)cite"
    r"|footcitetext|fullcite)\*?)(?:\s*\[(?:[^\][{}]|\{[^{}]*\})*\]){0,2}\s*\{([^{}]*)\}"
)


def citations(document: Document) -> Iterator[Key]:
    """Every key of every live citation, in order; optional arguments passed over, `cites` left alone."""
    code = body(document)
    for match in _CITATION.finditer(code):
        spans = keys_in(code, *match.span(2))
        siblings = tuple(code[a:b] for a, b in spans)
        for a, b in spans:
            yield Key(document.path, match[1], code[a:b], a, b, match.span(), siblings)


def sites(paper: Paper) -> Iterator[Mutation]:
    """Each pair of neighbouring citations of one key each, of different keys, that are not one list."""
    for document in paper.tex:
        for first, second in pairwise(citations(document)):
            alone = len(first.siblings) == len(second.siblings) == 1
            if alone and first.text != second.text and not is_symmetric(document, first, second):
                yield Mutation((first.replaced(second.text), second.replaced(first.text)))


OPERATOR = Operator(
    code="LAT-CIT-SWP",
    family=REFERENCE_HYGIENE,
    tier=3,
    category="C17 reference / citation",
    summary="Two neighbouring citations exchange their keys.",
    sites=sites,
    example=Example(
        r"Adam~\citep{a} needs less tuning than SGD~\citep[see][]{b}.",
        r"Adam~\citep{b} needs less tuning than SGD~\citep[see][]{a}.",
        "Both \\citep{a}, \\citep{b}; the lists \\citep{a,b}; again \\citep{a,b} % \\cite{c}\n",
    ),
    changes=("citations", "links", "text"),
)
