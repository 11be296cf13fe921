"""TEX-CMD-TRP: a typo in one of ten common commands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper
from lattice_env.verifier.latex import Document, commands, group_end
from lattice_env.verifier.selftests import Replacement

TYPOS = {
    "begin": "begn",
    "frac": "farc",
    "textbf": "texbf",
    "section": "sectin",
    "emph": "empf",
    "cite": "cit",
    "caption": "captin",
    "label": "lable",
    "includegraphics": "includegrapics",
    "subsection": "subsecton",
}
"""None of them exists anywhere; `\\frak`, which amsfonts defines, is therefore not among them."""

_DEFINITION = re.compile(
    r"\\(?:(?:re)?newcommand|providecommand|DeclareRobustCommand|DeclareMathOperator|(?:re)?newenvironment"
    r"|(?:New|Renew|Provide|Declare)Document(?:Command|Environment)|[egx]?def)(?![A-Za-z@])\*?"
)
_GAP = re.compile(r"\s*(\\[A-Za-z@]+)?\s*(?:(?:\[[^\]]*\]|#\d)\s*)*")


def blank(code: str, spans: Iterable[tuple[int, int]]) -> str:
    """`code` with the spans overwritten by spaces; newlines and every offset stay."""
    for start, end in spans:
        code = code[:start] + re.sub(r"[^\n]", " ", code[start:end]) + code[end:]
    return code


def definitions(code: str) -> Iterator[tuple[int, int]]:
    """From and to of every definition of a command or an environment, in order."""
    for match in _DEFINITION.finditer(code):
        yield match.start(), _definition_end(code, match)


def _definition_end(code: str, match: re.Match[str]) -> int:
    position, groups = match.end(), 2 + ("nvironment" in match[0]) + ("Document" in match[0])
    while groups and (gap := _GAP.match(code, position)):
        position, groups = gap.end(), groups - bool(gap[1])
        end = group_end(code, position) if code.startswith("{", position) else None
        if end is None:
            break
        position, groups = end, groups - 1
    return position


def body(document: Document) -> str:
    """The live code behind the preamble, definitions blanked; every offset stays.

    A file without `\\begin{document}` that loads packages is all preamble.
    """
    code = document.code
    preamble = re.search(r"\\(?:usepackage|documentclass)\b", code)
    start = document.body_start or (len(code) if preamble else 0)
    return blank(code, [(0, start), *definitions(code)])


def sites(paper: Paper) -> Iterator[Mutation]:
    """Every live use of one of the ten, behind the preamble, whose typo the paper does not use itself."""
    for document in paper.tex:
        for match in commands(body(document), "|".join(TYPOS)):
            typo = TYPOS[match[1]]
            if not any(next(commands(other.code, typo), None) for other in paper.tex):
                edit = Replacement(document.path, match.start(1), match.end(1), typo)
                yield Mutation((edit,), (f"\\{typo}",))


OPERATOR = Operator(
    code="TEX-CMD-TRP",
    family=BUILD_REPAIR,
    tier=2,
    category="C4 undefined control sequence",
    summary="A common command is misspelt.",
    sites=sites,
    example=Example(r"See \emph{this}.", r"See \empf{this}.", r"% \emph{this} \emphatic \newcommand{\x}{\emph{x}}"),
    diagnostic=r"^Undefined control sequence",
)
