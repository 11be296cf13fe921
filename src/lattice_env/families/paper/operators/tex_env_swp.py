"""TEX-ENV-SWP: an environment is another of its like."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import SILENT_CHANGE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.verifier.latex import environments
from lattice_env.verifier.selftests import Replacement

PARTNERS = {
    "itemize": "enumerate",
    "enumerate": "itemize",
    "center": "flushleft",
    "flushleft": "center",
    "figure": "figure*",
    "figure*": "figure",
    "theorem": "lemma",
    "lemma": "theorem",
}


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every environment of the table in the body whose partner the paper can have."""
    theorems = {e.name for document in paper.tex for e in environments(document.code)}
    for document in paper.tex:
        for environment in environments(body(document)):
            partner = PARTNERS.get(environment.name)
            if partner is None or (partner in ("theorem", "lemma") and partner not in theorems):
                continue
            size, ends = len(environment.name), (environment.body - 1, environment.end - 1)
            yield Mutation(tuple(Replacement(document.path, end - size, end, partner) for end in ends))


OPERATOR = Operator(
    code="TEX-ENV-SWP",
    family=SILENT_CHANGE,
    tier=2,
    category="C18 content / structure drift",
    summary="An environment is another of its like.",
    sites=sites,
    example=Example(
        "\\begin{itemize}\n\\item a\n\\end{itemize}\n",
        "\\begin{enumerate}\n\\item a\n\\end{enumerate}\n",
        "\\begin{lemma}a\\end{lemma}\n% \\begin{itemize}\\end{itemize}\n",
    ),
    changes=("pages",),
)
