"""LAT-ENV-NOB: an environment ends that never began."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.layout import whole_lines
from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.verifier.latex import VERBATIM_ENVIRONMENTS, Environment, environments, group_end
from lattice_env.verifier.selftests import Replacement

_OWN_COMMANDS = ("tikzpicture", "algorithmic", "subfigure", "subtable")
"""Environments with commands that nothing defines outside of them."""
_OPTION = re.compile(r"\[[^\]\n]*\]")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every `\\begin` of the body with its arguments; verbatim texts, pictures and the like are left alone."""
    for document in paper.tex:
        code = body(document)
        for environment in environments(code):
            if environment.name not in ("document", "comment", *_OWN_COMMANDS, *VERBATIM_ENVIRONMENTS):
                end = _arguments_end(code, environment)
                yield Mutation((Replacement(document.path, *whole_lines(document, environment.begin, end), ""),))


def _arguments_end(code: str, environment: Environment) -> int:
    """The offset behind the arguments that follow a `\\begin{…}` at once."""
    end = environment.body
    while match := _OPTION.match(code, end):
        end = match.end()
    while code.startswith("{", end) and (stop := group_end(code, end)) and stop <= environment.body_end:
        end = stop
    return end


OPERATOR = Operator(
    code="LAT-ENV-NOB",
    family=BUILD_REPAIR,
    tier=1,
    category="C2 environment mismatch / unclosed / unknown",
    summary="An environment ends that never began.",
    sites=sites,
    example=Example(
        "\\begin{itemize}\n  \\item a\n\\end{itemize}\n",
        "  \\item a\n\\end{itemize}\n",
        "\\begin{verbatim}\n\\begin{center}\n\\end{verbatim}\n% \\begin{center}\\end{center}\n",
    ),
    diagnostic=(
        r"ended by \\end\{|^Extra (?:\}, or forgotten )?\\endgroup|^LaTeX Error: Lonely \\item|\\caption outside float"
        r"|^Missing \$ inserted|allowed only in math mode|^Misplaced (?:alignment tab character|\\noalign|\\omit)"
    ),
)
