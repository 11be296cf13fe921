"""LAT-CIT-RPT: a citation names the same work twice."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.references import citations
from lattice_env.verifier.selftests import Replacement

_MERGING = re.compile(r"\\documentclass\s*(?:\[[^\]]*\]\s*)?\{revtex")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every citation; its first key stands at its end once more. REVTeX prints such a key once: nothing would show."""
    if any(_MERGING.search(document.code) for document in paper.tex):
        return
    for document in paper.tex:
        last = {key.span: key for key in citations(document) if key.text == key.siblings[-1]}
        for key in last.values():
            again = Replacement(document.path, key.end, key.end, f",{key.siblings[0]}")
            yield Mutation((again,))


OPERATOR = Operator(
    code="LAT-CIT-RPT",
    family=REFERENCE_HYGIENE,
    tier=2,
    category="C17 reference / citation",
    summary="A citation names the same work twice.",
    sites=sites,
    example=Example(
        r"as before \citep[see][]{a,b}",
        r"as before \citep[see][]{a,b,a}",
        "\\cite{} \\verb|\\cite{a}| \\nocite{b} % \\cite{a}\n",
    ),
    changes=("citations", "text"),
)
