"""LAT-BRC-END: the brace behind the name of an environment that ends is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.places import body
from lattice_env.verifier.latex import VERBATIM_ENVIRONMENTS
from lattice_env.verifier.selftests import Replacement

_END = re.compile(r"\\end\{([A-Za-z]+\*?)(\})")
_STEP = re.compile(r"\\.|[{}]|\n[ \t]*\n", re.DOTALL)
_SPECIAL = ("document", "comment", *VERBATIM_ENVIRONMENTS)


def sites(paper: Paper) -> Iterator[Mutation]:
    """The last brace of every `\\end{name}` behind which the paragraph ends before another brace takes its part."""
    for document in paper.tex:
        code = body(document)
        for match in _END.finditer(code):
            if match[1] not in _SPECIAL and _paragraph_ends(code, match.end()):
                yield Mutation((Replacement(document.path, *match.span(2), ""),))


def _paragraph_ends(code: str, position: int) -> bool:
    """Whether the paragraph at `position` ends before a brace closes what is not open."""
    depth = 0
    for match in _STEP.finditer(code, position):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if not match[0].strip():
            return True
        if depth < 0:
            return False
    return True


OPERATOR = Operator(
    code="LAT-BRC-END",
    family=BUILD_REPAIR,
    tier=1,
    category="C2 environment mismatch / unclosed / unknown",
    summary="The brace behind the name of an environment that ends is missing.",
    sites=sites,
    example=Example(
        "\\begin{center}\n  a\n\\end{center}\n\nb",
        "\\begin{center}\n  a\n\\end{center\n\nb",
        "% \\end{center}\n\\end{document}\n",
    ),
    diagnostic=(
        r"^(?:Paragraph ended before|File ended while scanning use of)"
        r" \\(?:end|collect@@?body|\w*@?get@\w*body|[a-z]+\*?) "
    ),
)
