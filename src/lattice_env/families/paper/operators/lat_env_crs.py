"""LAT-ENV-CRS: two environments end in the wrong order."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.verifier.latex import VERBATIM_ENVIRONMENTS, Environment, environments
from lattice_env.verifier.selftests import Replacement


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every two neighbouring `\\end` of environments of different names, in the order of the outer `\\begin`."""
    for document in paper.tex:
        code = body(document)
        found = [e for e in environments(code) if e.name not in ("document", "comment", *VERBATIM_ENVIRONMENTS)]
        ends = {environment.end: environment for environment in found}
        for outer in found:
            inner = ends.get(len(code[: outer.body_end].rstrip()))
            if inner and inner.name != outer.name and inner.begin > outer.begin:
                yield Mutation((_renamed(document.path, inner, outer), _renamed(document.path, outer, inner)))


def _renamed(path: str, environment: Environment, other: Environment) -> Replacement:
    """The `\\end` of an environment with the name of another."""
    end = environment.end - 1
    return Replacement(path, end - len(environment.name), end, other.name)


OPERATOR = Operator(
    code="LAT-ENV-CRS",
    family=BUILD_REPAIR,
    tier=2,
    category="C2 environment mismatch / unclosed / unknown",
    summary="Two environments end in the wrong order.",
    sites=sites,
    example=Example(
        "\\begin{center}\\begin{quote}a\\end{quote}\n\\end{center}\n",
        "\\begin{center}\\begin{quote}a\\end{center}\n\\end{quote}\n",
        "\\begin{center}\\begin{quote}a\\end{quote} b\\end{center}\n% \\end{quote}\\end{center}\n",
    ),
    diagnostic=(
        r"ended by \\end\{|^Missing (?:\\endgroup|\\cr|\\right\.|\}|\$) inserted|^Extra \}, or forgotten"
        r"|^Paragraph ended before|\\end\{\w+\*?\} invalid in math mode"
    ),
)
