"""LAT-CIT-TWN: a work is in the bibliography twice, and a citation names the copy."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.references import citations
from lattice_env.families.paper.works import Work, works
from lattice_env.verifier.selftests import Replacement


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every later citation of a work; it gets a key of its own, and the bibliography a copy of the entry."""
    text = "\n".join(document.text for document in paper.documents)
    texts = {document.path: document.text for document in paper.documents}
    known = {entry.key: entry for entry in works(paper)}
    seen: set[str] = set()
    for document in paper.tex:
        for key in citations(document):
            entry, twin = known.get(key.text), f"{key.text}b"
            if entry and key.text in seen and twin not in text and _is_apart(entry, key.path, key.start):
                yield Mutation((key.replaced(twin), _copy(entry, texts[entry.path], twin)))
            seen.add(key.text)


def _is_apart(entry: Work, path: str, offset: int) -> bool:
    return entry.path != path or not entry.start <= offset <= entry.end


def _copy(entry: Work, text: str, key: str) -> Replacement:
    """The edit that puts a copy of an entry behind it, under another key."""
    copy = text[entry.start : entry.key_start] + key + text[entry.key_end : entry.end]
    return Replacement(entry.path, entry.end, entry.end, f"\n\n{copy}" if entry.kind else copy)


OPERATOR = Operator(
    code="LAT-CIT-TWN",
    family=REFERENCE_HYGIENE,
    tier=3,
    category="C17 reference / citation",
    summary="A work stands twice in the bibliography, under two keys, and is cited by both.",
    sites=sites,
    example=Example(
        "\\cite{a}, again \\cite{a}\n\\begin{thebibliography}{9}\n\\bibitem{a} A.\n\\end{thebibliography}\n",
        "\\cite{a}, again \\cite{ab}\n\\begin{thebibliography}{9}\n\\bibitem{a} A.\n\\bibitem{ab} A.\n"
        "\\end{thebibliography}\n",
        "\\cite{a,b} \\verb|\\cite{a}| % \\cite{a}\n\\begin{thebibliography}{9}\\bibitem{a} A.\\end{thebibliography}\n",
    ),
    changes=("citations", "entries"),
)
