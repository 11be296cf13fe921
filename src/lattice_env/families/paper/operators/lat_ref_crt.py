"""LAT-REF-CRT: a label tells cleveref a wrong kind."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import loads
from lattice_env.families.paper.references import references
from lattice_env.families.paper.uses import used_labels
from lattice_env.verifier.selftests import Replacement

_LABEL = r"\label"
_WRONG = {
    "figure": "table",
    "table": "figure",
    "section": "chapter",
    "theorem": "lemma",
    "lemma": "theorem",
    "proposition": "lemma",
    "corollary": "lemma",
    "definition": "theorem",
}


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every label without a kind of its own, used by name, in a paper with cleveref."""
    if not any(name == "cleveref" for document in paper.tex for *_, name in loads(document)):
        return
    texts = {document.path: document.text for document in paper.tex}
    uses = (use for document in paper.tex for use in references(document))
    named = {use.text for use in uses if use.command.lower() == "cref"}
    for label in used_labels(paper):
        end = label.start + len(_LABEL)
        if label.kind in _WRONG and label.key in named and texts[label.path][end] == "{":
            yield Mutation((Replacement(label.path, end, end, f"[{_WRONG[label.kind]}]"),))


_PAPER = r"\documentclass{article}\usepackage{cleveref}\begin{document}%s\end{document}"


OPERATOR = Operator(
    code="LAT-REF-CRT",
    family=REFERENCE_HYGIENE,
    tier=3,
    category="C17 reference / citation",
    summary="A label tells cleveref a wrong kind.",
    sites=sites,
    example=Example(
        _PAPER % r"\begin{figure}\caption{A}\label{fig:a}\end{figure}\cref{fig:a}",
        _PAPER % r"\begin{figure}\caption{A}\label[table]{fig:a}\end{figure}\cref{fig:a}",
        _PAPER
        % (
            r"\begin{figure}\caption{A}\label{fig:a}\end{figure}"
            "\\ref{fig:a} \\verb|\\cref{fig:a}| % \\cref{fig:a}\n"
        ),
    ),
    changes=("labels", "text"),
)
