"""LAT-FIG-SWP: two figures show each other's graphics."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from lattice_env.families.paper.operator import REFERENCE_HYGIENE, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import GRAPHICS, body
from lattice_env.verifier.latex import Document, environments
from lattice_env.verifier.selftests import Replacement


@dataclass(frozen=True)
class _Figure:
    """A figure with one graphic: where the path stands, and all else that the figure says."""

    edit: Replacement
    words: frozenset[str]
    """What the path says: `{"loss", "curves"}` of `figures/loss-curves.pdf`."""
    text: str

    @property
    def tells(self) -> bool:
        """Whether the caption or the label speaks of what the path says."""
        return any(word in self.text for word in self.words)


def _figures(document: Document) -> Iterator[_Figure]:
    code = body(document)
    for around in (e for e in environments(code) if e.name in ("figure", "figure*")):
        found = list(GRAPHICS.finditer(code, around.body, around.body_end))
        if len(found) == 1:
            a, b = found[0].span(2)
            stem = found[0][2].rpartition("/")[2].partition(".")[0].lower()
            rest = (code[around.body : a] + code[b : around.body_end]).lower()
            words = frozenset(re.findall(r"[a-z]{4,}", stem))
            yield _Figure(Replacement(document.path, a, b, found[0][2]), words, rest)


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every two figures with one graphic each, whose captions or labels tell which belongs where."""
    figures = [figure for document in paper.tex for figure in _figures(document) if figure.tells]
    for one, other in combinations(figures, 2):
        a, b = one.edit, other.edit
        if a.new != b.new:
            edits = (Replacement(a.file, a.start, a.end, b.new), Replacement(b.file, b.start, b.end, a.new))
            yield Mutation(edits)


OPERATOR = Operator(
    code="LAT-FIG-SWP",
    family=REFERENCE_HYGIENE,
    tier=3,
    category="C17 reference / citation",
    summary="Two figures show each other's graphics.",
    sites=sites,
    example=Example(
        r"\begin{figure}\includegraphics{f/loss.pdf}\caption{Loss}\end{figure}"
        r"\begin{figure}\includegraphics[width=3cm]{f/speed.pdf}\label{fig:speed}\end{figure}",
        r"\begin{figure}\includegraphics{f/speed.pdf}\caption{Loss}\end{figure}"
        r"\begin{figure}\includegraphics[width=3cm]{f/loss.pdf}\label{fig:speed}\end{figure}",
        "\\begin{figure}\\includegraphics{f/loss.pdf}\\caption{Loss}\\end{figure} \\includegraphics{speed.pdf}\n"
        "\\begin{figure}\\includegraphics{f/fig12.pdf}\\caption{B}\\end{figure} % \\includegraphics{speed.pdf}\n",
    ),
    changes=("text",),
)
