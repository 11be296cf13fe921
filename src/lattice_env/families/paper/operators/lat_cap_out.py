"""LAT-CAP-OUT: a caption stands outside of any float."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.layout import indent, whole_lines
from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.verifier.latex import Document, Environment, environments, group_end
from lattice_env.verifier.selftests import Replacement

_CAPTION = re.compile(r"\\caption(?![A-Za-z@*])\s*(?:\[[^\]]*\])?\s*(?=\{)")
_PLACEMENT = re.compile(r"[ \t]*\[[^\]\n]*\]")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every figure and table with one caption: the caption behind it, and the float made a `center`."""
    for document in paper.tex:
        code = body(document)
        for float_ in environments(code):
            caption = _caption(code, float_) if float_.name.rstrip("*") in ("figure", "table") else None
            if caption:
                yield Mutation(_moved(document, float_, *caption))
                yield Mutation(_centred(document.path, code, float_))


def _caption(code: str, float_: Environment) -> tuple[int, int] | None:
    """From and to of the only caption of a float; None where it has several or one in an inner environment."""
    found = list(_CAPTION.finditer(code, float_.body, float_.body_end))
    end = group_end(code, found[0].end()) if len(found) == 1 else None
    between = code[float_.body : found[0].start()] if end else ""
    inner = between.count("\\begin") != between.count("\\end")
    return (found[0].start(), end) if end and end <= float_.body_end and not inner else None


def _moved(document: Document, float_: Environment, start: int, end: int) -> tuple[Replacement, ...]:
    """The caption taken out and put behind the float, on lines of its own where it had them."""
    cut = whole_lines(document, start, end)
    caption = document.text[start:end] if cut == (start, end) else document.text[slice(*cut)].strip()
    behind = Replacement(document.path, float_.end, float_.end, f"\n{indent(document, float_.begin)}{caption}")
    return (Replacement(document.path, *cut, ""), behind)


def _centred(path: str, code: str, float_: Environment) -> tuple[Replacement, ...]:
    """`center` in the place of the float, without its placement."""
    placement = _PLACEMENT.match(code, float_.body)
    start = placement.end() if placement else float_.body
    begin = Replacement(path, float_.begin, start, r"\begin{center}")
    return (begin, Replacement(path, float_.body_end, float_.end, r"\end{center}"))


OPERATOR = Operator(
    code="LAT-CAP-OUT",
    family=BUILD_REPAIR,
    tier=2,
    category="C16 float / caption",
    summary="A caption stands outside of any float.",
    sites=sites,
    example=Example(
        "\\begin{figure}[t]\n  a\n  \\caption{A}\n\\end{figure}\n",
        "\\begin{figure}[t]\n  a\n\\end{figure}\n\\caption{A}\n",
        "\\begin{figure}\n  % \\caption{A}\n  \\begin{subfigure}{1cm}\\caption{B}\\end{subfigure}\n\\end{figure}\n",
    ),
    diagnostic=r"^(?:LaTeX|Package caption) Error: \\caption outside float",
)
