"""LAT-MTH-NSE: a display of several lines stands in an equation."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.layout import indent
from lattice_env.families.paper.mathematics import core, displays
from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body, loads
from lattice_env.verifier.latex import Document
from lattice_env.verifier.selftests import Replacement

_PROVIDERS = ("amsmath", "mathtools")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every equation with an `align` around its formula, and every `align` in an equation, where amsmath is there."""
    if not any(name in _PROVIDERS for document in paper.tex for *_, name in loads(document)):
        return
    for document in paper.tex:
        code = body(document)
        for display in displays(code):
            if display.name.rstrip("*") == "equation":
                yield Mutation(_wrapped(document, *core(code, display), "align"))
            elif display.name.rstrip("*") == "align":
                yield Mutation(_wrapped(document, display.begin, display.end, "equation"))


def _wrapped(document: Document, start: int, end: int, name: str) -> tuple[Replacement, ...]:
    """An environment put around what stands between two offsets."""
    gap = "\n" + indent(document, start)
    begin = Replacement(document.path, start, start, f"\\begin{{{name}}}{gap}")
    return (begin, Replacement(document.path, end, end, f"{gap}\\end{{{name}}}"))


OPERATOR = Operator(
    code="LAT-MTH-NSE",
    family=BUILD_REPAIR,
    tier=2,
    category="C12 scripts and math syntax",
    summary="A display of several lines stands in an equation.",
    sites=sites,
    example=Example(
        "\\usepackage{amsmath}\n\\begin{document}\n\\begin{equation}\nx\n\\end{equation}\n",
        "\\usepackage{amsmath}\n\\begin{document}\n\\begin{equation}\n\\begin{align}\nx\n\\end{align}\n\\end{equation}\n",
        "% \\usepackage{amsmath}\n\\begin{document}\n\\begin{equation}\n  x = 1,\n\\end{equation}\n",
    ),
    diagnostic=r"^Package amsmath Error: Erroneous nesting of equation structures",
)
