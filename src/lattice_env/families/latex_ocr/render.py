"""Pictures of formulas, by the pinned TeX: many to a document, one page each, cut to the ink."""

from __future__ import annotations

import functools
import re
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from lattice_env.verifier import sandbox
from lattice_env.verifier.toolchain import Toolchain, toolchain
from lattice_env.verifier.verdict import InfraError

from .corpus import Formula
from .png import grey_png

BATCH = 90
"""Formulas to a document: more would save little of the time and cost more when one of them does not print."""
DPI = 120
BORDER = "4bp"
FONT_PACKAGES = {"cm": "", "times": r"\usepackage{mathptmx}", "palatino": r"\usepackage{mathpazo}"}

_DOCUMENT = r"""\documentclass{article}
\usepackage[T1]{fontenc}
%s
\usepackage{amsmath,amssymb,bm,mathtools}
\usepackage[active,tightpage]{preview}
\setlength\PreviewBorder{%s}
\begin{document}
%s
\end{document}
"""
_PAGE = r"""\begin{preview}\fontsize{%d}{%d}\selectfont $\displaystyle %s$\end{preview}
"""


def render(formulas: Sequence[Formula], *, report: Callable[[int], None] = lambda _done: None) -> list[bytes | None]:
    """A PNG for each formula, or None for one that TeX does not print; `report` hears how many are done.

    Raises InfraError where the machine lacks TeX or poppler.
    """
    return [page and grey_png(page) for page in print_pages(formulas, report=report)]


def print_pages(
    formulas: Sequence[Formula], *, report: Callable[[int], None] = lambda _done: None
) -> list[bytes | None]:
    """A PGM (8-bit grey, cut to the ink) for each formula, or None for one that TeX does not print."""
    found: dict[int, bytes | None] = {}
    for font in FONT_PACKAGES:
        own = [index for index, formula in enumerate(formulas) if formula.font == font]
        for start in range(0, len(own), BATCH):
            batch = own[start : start + BATCH]
            pictures = _render_batch([formulas[index] for index in batch])
            found |= dict(zip(batch, pictures, strict=True))
            report(len(found))
    return [found[index] for index in range(len(formulas))]


def _render_batch(batch: Sequence[Formula]) -> list[bytes | None]:
    """The batch in one document; where that does not build, in two halves, down to the formula that is at fault."""
    pages = _build(batch)
    if pages is not None:
        return list(pages)
    if len(batch) == 1:
        return [None]
    middle = len(batch) // 2
    return _render_batch(batch[:middle]) + _render_batch(batch[middle:])


def _build(batch: Sequence[Formula]) -> list[bytes] | None:
    """A page for each formula, or None where the document does not build or has other pages than these."""
    tools = toolchain()
    with tempfile.TemporaryDirectory(prefix="lattice-ocr-") as name:
        tree = Path(name) / "tree"
        (Path(name) / "home").mkdir()
        tree.mkdir()
        (tree / "formulas.tex").write_text(document(batch), "utf-8")
        if _ended_badly(_pdflatex(tools), tree, tools):
            return None
        poppler = [tools.path("pdftoppm"), "-r", str(DPI), "-gray", "formulas.pdf", "page"]
        if not (tree / "formulas.pdf").is_file() or _ended_badly(poppler, tree, tools):
            return None
        pages = [path.read_bytes() for path in sorted(tree.glob("page-*.pgm"), key=_page_number)]
    return pages if len(pages) == len(batch) else None


def document(batch: Sequence[Formula]) -> str:
    """The LaTeX document that prints a batch of one font, a page to a formula."""
    pages = "".join(_PAGE % (formula.size, formula.size * 6 // 5, formula.latex) for formula in batch)
    return _DOCUMENT % (FONT_PACKAGES[batch[0].font], BORDER, pages)


def _pdflatex(tools: Toolchain) -> list[str]:
    options = "-no-shell-escape -no-parse-first-line -interaction=nonstopmode -halt-on-error".split()
    return [tools.path("pdflatex"), *options, "formulas.tex"]


def _ended_badly(command: Sequence[str], tree: Path, tools: Toolchain) -> bool:
    ended = sandbox.run(command, tree, tools, tree.parent / "output.txt")
    if ended.code and not sandbox.room_left(tree):
        message = "the disk is full"
        raise InfraError(message)
    return bool(ended.code)


def _page_number(path: Path) -> int:
    return int(re.sub(r"\D", "", path.stem))


@functools.cache
def can_render() -> bool:
    """Whether this machine has what prints formulas."""
    try:
        toolchain()
    except InfraError:
        return False
    return True
