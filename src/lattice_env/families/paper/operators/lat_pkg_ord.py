"""LAT-PKG-ORD: a package is loaded too late, or too early, for what depends on it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.preamble import Load, cut, package_loads, preamble, setup
from lattice_env.verifier.latex import Document, group_end
from lattice_env.verifier.selftests import Replacement

_ARGUMENTS = re.compile(r"\s*(?:\[[^\]]*\]|\\[A-Za-z@]+)?\s*(?=\{)")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Cleveref before hyperref, and every package behind the first command by which the preamble sets it up."""
    for document in paper.tex:
        loads = [load for load in package_loads(document) if len(load.names) == 1]
        places = {load.name: load for load in loads}
        for load in loads:
            removed = cut(document, load.start, load.end)
            target = _target(document, load, places)
            if target is not None and removed.end > load.end:
                text = document.text[removed.start : removed.end]
                yield Mutation((removed, Replacement(document.path, target, target, text)))


def _target(document: Document, load: Load, places: dict[str, Load]) -> int | None:
    """Where the load must not stand: the start of a line."""
    if load.name == "cleveref" and "hyperref" in places and places["hyperref"].start < load.start:
        return document.line_span(places["hyperref"].start)[0]
    use = setup(document, load.name)
    return _line_end(document, use.end()) if use and use.start() > load.end else None


def _line_end(document: Document, position: int) -> int:
    """The start of the line behind a command with its arguments."""
    code = preamble(document)
    while gap := _ARGUMENTS.match(code, position):
        if "\n" in gap[0] or (end := group_end(code, gap.end())) is None:
            break
        position = end
    return document.line_span(position)[1]


OPERATOR = Operator(
    code="LAT-PKG-ORD",
    family=BUILD_REPAIR,
    tier=2,
    category="C5 package missing / conflict / order",
    summary="A package is loaded too late, or too early, for what depends on it.",
    sites=sites,
    example=Example(
        "\\usepackage[hidelinks]{hyperref}\n\\usepackage{cleveref}\n\\begin{document}\n",
        "\\usepackage{cleveref}\n\\usepackage[hidelinks]{hyperref}\n\\begin{document}\n",
        (
            "% \\usepackage{hyperref}\n\\usepackage{amsthm}\n\\usepackage{cleveref}\n% \\theoremstyle{plain}\n"
            "\\begin{document}\n"
        ),
    ),
    diagnostic=(r"^Package cleveref Error: cleveref must be loaded after hyperref|^Undefined control sequence"),
)
