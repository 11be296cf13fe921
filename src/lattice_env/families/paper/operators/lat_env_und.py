"""LAT-ENV-UND: both ends of one environment carry the same misspelt name."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.operators.tex_cmd_trp import body
from lattice_env.verifier.latex import VERBATIM_ENVIRONMENTS, Document, Environment, environments
from lattice_env.verifier.selftests import Replacement

TYPOS = {
    "itemize": "itemise",
    "center": "centre",
    "figure": "figrue",
    "table": "tabel",
    "equation": "equaton",
    "abstract": "abstrac",
    "enumerate": "enumarate",
    "tabular": "tabluar",
    "tabularx": "tabluarx",
    "theorem": "theorm",
    "tikzpicture": "tikzpicure",
    "algorithm": "algoritm",
}


def misspell(name: str) -> str:
    """The name as somebody in haste types it; a star stays."""
    word = name.rstrip("*")
    return TYPOS.get(word, word[:-2] + word[-1]) + name[len(word) :]


def misspellable(paper: Paper) -> Iterator[tuple[Document, Environment, str]]:
    """Every environment of a body with its misspelt name, in order.

    Left out are `document`, those whose text TeX does not read as code, names too short to be
    recognized, and typos that the paper uses itself.
    """
    for document in paper.tex:
        for environment in environments(body(document)):
            typo = misspell(environment.name)
            special = environment.name in ("document", "comment", *VERBATIM_ENVIRONMENTS)
            taken = any(f"{{{typo}}}" in other.code for other in paper.tex)
            if not special and not taken and len(environment.name.rstrip("*")) > 3:  # noqa: PLR2004
                yield document, environment, typo


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every environment of the body."""
    for document, environment, typo in misspellable(paper):
        size, ends = len(environment.name), (environment.body - 1, environment.end - 1)
        edits = (Replacement(document.path, end - size, end, typo) for end in ends)
        yield Mutation(tuple(edits), (typo,))


OPERATOR = Operator(
    code="LAT-ENV-UND",
    family=BUILD_REPAIR,
    tier=1,
    category="C2 environment mismatch / unclosed / unknown",
    summary="Both ends of an environment carry the same misspelt name.",
    sites=sites,
    example=Example(
        "\\begin{itemize}\n\\item a\n\\end{itemize}\n",
        "\\begin{itemise}\n\\item a\n\\end{itemise}\n",
        "\\begin{verbatim}\n\\begin{itemize}\\end{itemize}\n\\end{verbatim}\n% \\begin{center}\\end{center}\n",
    ),
    diagnostic=r"Environment \S+ undefined",
)
