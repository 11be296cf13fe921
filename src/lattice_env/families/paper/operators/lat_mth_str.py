"""LAT-MTH-STR: a formula in the text has lost both of its dollars."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body, formulas
from lattice_env.verifier.selftests import Replacement

_MATHEMATICAL = re.compile(
    r"(?<!\\)[_^]|\\(?:alpha|beta|gamma|delta|epsilon|varepsilon|zeta|eta|theta|kappa|lambda|mu|nu|xi|pi|rho|sigma|tau|phi"
    r"|varphi|chi|psi|omega|Gamma|Delta|Theta|Lambda|Sigma|Phi|Psi|Omega|ell|infty|partial|nabla|le|leq|ge|geq|ne|neq|approx"
    r"|sim|equiv|in|notin|subset|subseteq|cup|cap|times|cdot|pm|to|mapsto|gets|frac|sqrt|sum|prod|int|log|ln|exp|min|max"
    r"|mathcal|mathbb|mathrm|mathbf|mathit|mathsf)(?![A-Za-z@])"
)


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every formula between dollars with something that only mathematics knows."""
    for document in paper.tex:
        code = body(document)
        for start, end in formulas(code):
            if _MATHEMATICAL.search(code, start, end):
                dollars = ((start, start + 1), (end - 1, end))
                yield Mutation(tuple(Replacement(document.path, *dollar, "") for dollar in dollars))


OPERATOR = Operator(
    code="LAT-MTH-STR",
    family=BUILD_REPAIR,
    tier=1,
    category="C3 math mode delimiters",
    summary="A formula in the text has lost both of its dollars.",
    sites=sites,
    example=Example(r"Let $x_i$ be real.", r"Let x_i be real.", r"Let $x$ be \$4. % $x_i$ \verb|$y_i$|"),
    diagnostic=r"^Missing \$ inserted|allowed only in math mode",
)
