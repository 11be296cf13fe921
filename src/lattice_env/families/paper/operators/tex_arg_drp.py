"""TEX-ARG-DRP: the last argument of a command is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.families.paper.operators.tex_cmd_trp import body
from lattice_env.verifier.latex import commands, group_end
from lattice_env.verifier.selftests import Replacement

ARGUMENTS = {
    **dict.fromkeys(("frac", "dfrac", "tfrac", "cfrac", "binom"), 2),
    **dict.fromkeys(("href", "textcolor", "texorpdfstring", "setlength", "addtolength", "setcounter"), 2),
    **dict.fromkeys(("scalebox", "raisebox", "parbox", "qty", "SI"), 2),
    **dict.fromkeys(("multicolumn", "multirow", "resizebox"), 3),
}
"""How many arguments in braces a command takes."""

_MISSED = re.compile(r"[ \t]*\n?[ \t]*(?:[}&$_^\n]|\\\\|\\(?:end|left|right)\b|\\[A-Za-z]+\s*[\[{])")
"""What may not follow: TeX would take its first token for the argument, and stumble."""
_NO_LENGTH = re.compile(r"\s*\\?[A-Za-z]")


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every last argument of such a command behind which TeX finds none that it could take."""
    for document in paper.tex:
        code = body(document)
        for match in commands(code, "|".join(ARGUMENTS)):
            found = _arguments(code, match.end())
            if len(found) >= ARGUMENTS[match[1]]:
                start, end = found[ARGUMENTS[match[1]] - 1]
                if _is_missed(code, match[1], end):
                    yield Mutation((Replacement(document.path, start, end, ""),))


def _arguments(code: str, position: int) -> list[tuple[int, int]]:
    """From and to of the brace groups that follow, options skipped."""
    found: list[tuple[int, int]] = []
    while gap := re.compile(r"(?:\s*\[[^\]]*\])?[ \t]*\n?[ \t]*(?=\{)").match(code, position):
        end = group_end(code, gap.end())
        if end is None:
            break
        found.append((gap.end(), end))
        position = end
    return found


def _is_missed(code: str, name: str, end: int) -> bool:
    """Whether TeX complains about what follows in the place of the argument that ends at `end`."""
    pattern = _NO_LENGTH if name.endswith(("length", "counter")) else _MISSED
    return bool(pattern.match(code, end))


OPERATOR = Operator(
    code="TEX-ARG-DRP",
    family=BUILD_REPAIR,
    tier=2,
    category="C7 missing or malformed argument",
    summary="The last argument of a command is missing.",
    sites=sites,
    example=Example(r"$\sqrt{\frac{a}{b}}$", r"$\sqrt{\frac{a}}$", r"% \frac{a}{b}}: $\frac{a}{b} + 1$"),
    diagnostic=r"^Argument of \\\S+ has an extra \}|^Missing number|^Missing [{}] inserted|^Paragraph ended before",
)
