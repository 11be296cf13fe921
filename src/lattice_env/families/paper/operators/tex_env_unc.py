"""TEX-ENV-UNC: an environment is never closed."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.verifier.latex import VERBATIM_ENVIRONMENTS, Document, Environment, environments
from lattice_env.verifier.selftests import Replacement


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every `\\end` of the body, in the order of the `\\begin`; verbatim texts and pictures are left alone."""
    for document in paper.tex:
        for environment in environments(body(document)):
            if environment.name not in ("document", "comment", "tikzpicture", *VERBATIM_ENVIRONMENTS):
                yield Mutation((Replacement(document.path, *_span(document, environment), ""),))


def _span(document: Document, environment: Environment) -> tuple[int, int]:
    """The `\\end{…}` with its line if nothing else stands there."""
    start, end = document.line_span(environment.body_end)
    rest = document.text[start : environment.body_end] + document.text[environment.end : end]
    return (environment.body_end, environment.end) if rest.strip() else (start, end)


OPERATOR = Operator(
    code="TEX-ENV-UNC",
    family=BUILD_REPAIR,
    tier=1,
    category="C2 environment mismatch / unclosed / unknown",
    summary="An environment is never closed.",
    sites=sites,
    example=Example(
        "\\begin{center}\na\n\\end{center}\nb\n",
        "\\begin{center}\na\nb\n",
        "\\begin{verbatim}\n\\end{center}\n\\end{verbatim}\n% \\begin{center}\\end{center}\n",
    ),
    diagnostic=(
        r"ended by \\end\{|^Display math should end with|invalid in math mode|Not in outer par mode"
        r"|^Missing (?:\}|\$|\\endgroup) inserted|^Extra \}, or forgotten|^Paragraph ended before"
        r"|^You can't use `\\eqno'"
    ),
)
