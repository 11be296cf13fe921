"""TEX-PKG-DRP: a package that the paper needs is not loaded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import blank, definitions, loads
from lattice_env.verifier.latex import Document, commands, environments
from lattice_env.verifier.selftests import Replacement

_CLASS = re.compile(r"\\documentclass\s*(?:\[[^\]]*\])?\s*\{([^{}]*)\}")


@dataclass(frozen=True)
class Needed:
    """What a package gives that nothing else gives, but for the classes and packages that load it."""

    commands: str = ""
    environments: str = ""
    loaded_by: str = ""
    """A regular expression of their names."""


NEEDED = {
    "natbib": Needed(
        "citet citep citealt citealp citeauthor citeyear citeyearpar bibsep bibfont setcitestyle",
        loaded_by=r"elsarticle|revtex.*|icml.*|iclr.*|neurips.*|acmart|biblatex",
    ),
    "amsmath": Needed(
        "eqref operatorname DeclareMathOperator tfrac dfrac binom",
        "align align* gather gather* multline multline* split aligned equation* alignat flalign subequations",
        r"mathtools|amsart|amsbook|acmart|revtex.*|beamer|icml.*|empheq|unicode-math|newtxmath|nccmath",
    ),
    "graphicx": Needed(
        "includegraphics resizebox scalebox rotatebox reflectbox",
        loaded_by=r"tikz|pgf.*|elsarticle|beamer|acmart|icml.*|svg|adjustbox|rotating|epsfig|tcolorbox|todonotes",
    ),
    "booktabs": Needed("toprule midrule bottomrule cmidrule addlinespace", loaded_by=r"acmart|ctable|icml.*"),
    "xcolor": Needed(
        "textcolor definecolor colorlet color colorbox rowcolor",
        loaded_by=r"tikz|pgf.*|beamer|acmart|icml.*|iclr.*|color|colortbl|tcolorbox|todonotes|mdframed|minted",
    ),
    "tikz": Needed("tikz tikzset usetikzlibrary", "tikzpicture", r"pgfplots|tikz-cd|beamer|tcolorbox|todonotes"),
    "hyperref": Needed(
        "texorpdfstring autoref href hypersetup nameref",
        loaded_by=r"beamer|acmart|icml.*|elsarticle|bookmark",
    ),
    "cleveref": Needed("cref Cref crefrange crefname Crefname"),
    "siunitx": Needed("SI si num qty unit ang sisetup DeclareSIUnit"),
    "subcaption": Needed("subcaptionbox subcaption subref", "subfigure subtable", r"subfig|subfigure"),
    "algorithm": Needed(environments="algorithm algorithm*", loaded_by=r"algorithm2e|icml.*"),
    "algpseudocode": Needed("State Require Ensure Call", "algorithmic", r"algorithmic|icml.*"),
    "multirow": Needed("multirow"),
    "longtable": Needed(environments="longtable", loaded_by=r"longtabu|ltablex|supertabular"),
}


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every package of the table that is loaded once and whose commands or environments are in use."""
    names = [name for document in paper.tex for *_, name in loads(document)]
    names += [match[1] for document in paper.tex for match in _CLASS.finditer(document.code)]
    for document in paper.tex:
        for match, start, end, name in loads(document):
            needed = NEEDED.get(name)
            if needed is None or names.count(name) > 1 or _is_loaded(needed, names):
                continue
            if lost := tuple(_used(paper, needed)):
                yield Mutation((Replacement(document.path, *_span(document, match, start, end), ""),), lost)


def _is_loaded(needed: Needed, names: list[str]) -> bool:
    return any(re.fullmatch(needed.loaded_by, name) for name in names)


def _used(paper: Paper, needed: Needed) -> Iterator[str]:
    """The commands, then the environments, of a package that the paper uses outside of definitions."""
    codes = [blank(document.code, _defined(document.code)) for document in paper.tex]
    for name in needed.commands.split():
        if any(next(commands(code, name), None) for code in codes):
            yield f"\\{name}"
    found = {environment.name for code in codes for environment in environments(code)}
    yield from (name for name in needed.environments.split() if name in found)


def _defined(code: str) -> Iterator[tuple[int, int]]:
    """The definitions, but for those of operators, which need a package themselves."""
    return ((a, b) for a, b in definitions(code) if not code.startswith(r"\DeclareMathOperator", a))


def _span(document: Document, match: re.Match[str], start: int, end: int) -> tuple[int, int]:
    """What to cut: the name and a comma, the command, or the line that holds nothing else."""
    if "," in match[1]:
        after = re.compile(r"\s*,\s*").match(document.code, end)
        before = document.code.rfind(",", match.start(1), start)
        return (start, after.end()) if after else (before, end)
    first, last = document.line_span(match.start())
    rest = document.text[first : match.start()] + document.text[match.end() : last]
    return (match.start(), match.end()) if rest.strip() else (first, last)


OPERATOR = Operator(
    code="TEX-PKG-DRP",
    family=BUILD_REPAIR,
    tier=1,
    category="C5 package missing / conflict / order",
    summary="A package that the paper needs is not loaded.",
    sites=sites,
    example=Example(
        "\\usepackage{booktabs}\n\\begin{document}\n\\toprule\n",
        "\\begin{document}\n\\toprule\n",
        "\\usepackage{booktabs}\n% \\usepackage{natbib}\n\\begin{document}\n% \\toprule\n\\verb|\\citep|\n",
    ),
    diagnostic=r"^Undefined control sequence|Environment \S+ undefined",
)
