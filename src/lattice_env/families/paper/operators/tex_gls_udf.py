"""TEX-GLS-UDF: a term is taken from a glossary that does not have it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import text_of
from lattice_env.families.paper.preamble import hosts, loaded
from lattice_env.verifier.selftests import Replacement

_TERM = re.compile(r"\\emph\{([a-z]+(?:[ -][a-z]+)?)\}|(?<=[\s(])(?<![\\{])([A-Z]{3,5})(?=[\s),.;~])")
"""A term in italics, where it is introduced, or an abbreviation."""


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every such term outside of all arguments; the package that knows glossaries is loaded beside the last one."""
    places = list(hosts(paper))
    if not places or "glossaries" in loaded(paper):
        return
    for document in paper.tex:
        code = text_of(document)
        for match in _TERM.finditer(code):
            start, end = match.span(1 if match[1] else 2)
            if code.count("{", 0, match.start()) == code.count("}", 0, match.start()):
                key = code[start:end].lower().replace(" ", "-")
                term = Replacement(document.path, start, end, f"\\gls{{{key}}}")
                yield Mutation((term, places[-1].joined("glossaries")))


OPERATOR = Operator(
    code="TEX-GLS-UDF",
    family=BUILD_REPAIR,
    tier=3,
    category="C9 engine / environment dependent feature",
    summary="A term is taken from a glossary that does not have it.",
    sites=sites,
    example=Example(
        "\\usepackage{graphicx}\n\\begin{document}\nThis is a \\emph{lease}.\n",
        "\\usepackage{graphicx,glossaries}\n\\begin{document}\nThis is a \\emph{\\gls{lease}}.\n",
        (
            "\\usepackage{graphicx}\n\\begin{document}\n"
            "\\textbf{An \\emph{end}} \\emph{He said.} $x$ \\verb|\\emph{lease}| % \\emph{lease} FFT\n"
        ),
    ),
    diagnostic=r"^Package glossaries Error: Glossary entry `",
)
