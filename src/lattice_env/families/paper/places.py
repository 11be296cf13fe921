"""Places in the sources of a paper where faults can be put: bodies, formulas, text, groups, environments."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator

from lattice_env.verifier.latex import VERBATIM_ENVIRONMENTS, Document, Environment, environments, group_end
from lattice_env.verifier.selftests import Replacement

from .operator import Mutation, Paper

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


@functools.lru_cache(maxsize=256)
def body(document: Document) -> str:
    """The live code behind the preamble, definitions blanked; every offset stays.

    A file without `\\begin{document}` that loads packages is all preamble.
    """
    code = document.code
    preamble = re.search(r"\\(?:usepackage|documentclass)\b", code)
    start = document.body_start or (len(code) if preamble else 0)
    return blank(code, [(0, start), *definitions(code)])


_DOLLAR = re.compile(r"\\.|\$\$|\$|\n[ \t]*\n", re.DOTALL)


def formulas(code: str) -> Iterator[tuple[int, int]]:
    """From and to of every `$…$`, dollars included; pictures, where a dollar may calculate, are left out."""
    code = blank(code, ((e.begin, e.end) for e in environments(code) if e.name == "tikzpicture"))
    start: int | None = None
    for match in _DOLLAR.finditer(code):
        if match[0] == "$" and start is None:
            start = match.start()
        elif match[0] == "$" and start is not None:
            if code.count("{", start, match.start()) == code.count("}", start, match.start()):
                yield start, match.end()
            start = None
        elif not match[0].strip():
            start = None


_DISPLAY = re.compile(r"(?<!\\)(?:\\\[.*?\\\]|\\\(.*?\\\))|\$\$.*?\$\$", re.DOTALL)
_MATH = re.compile(r"(?:equation|align|gather|multline|eqnarray|flalign|alignat|displaymath|math|array)\*?")
_ADDRESS = re.compile(r"\\(?:url|href|nolinkurl|path|label|ref|includegraphics)\*?\s*(?:\[[^\]]*\])?\s*\{[^{}]*\}")
_ESCAPED = re.compile(r"\\.", re.DOTALL)


def text_of(document: Document) -> str:
    """The body with formulas, addresses and keys blanked; every offset stays."""
    code = body(document)
    spans = [(e.begin, e.end) for e in environments(code) if _MATH.fullmatch(e.name)]
    code = blank(code, [*formulas(code), *spans])
    return blank(code, [m.span() for pattern in (_DISPLAY, _ADDRESS) for m in pattern.finditer(code)])


def math_of(document: Document) -> str:
    """The body with all but formulas blanked, those between dollars and those displayed; every offset stays."""
    code = body(document)
    spans = [*formulas(code), *(match.span() for match in _DISPLAY.finditer(code))]
    spans += [(e.body, e.body_end) for e in environments(code) if _MATH.fullmatch(e.name)]
    kept = [" " if c != "\n" else c for c in code]
    for start, end in spans:
        kept[start:end] = code[start:end]
    return "".join(kept)


def unescaped(document: Document, code: str, character: str) -> Iterator[Mutation]:
    """Every escaped `character` of `code`, a text of `document`, without its backslash."""
    for match in _ESCAPED.finditer(code):
        if match[0][1] == character:
            yield Mutation((Replacement(document.path, match.start(), match.end(), character),))


_BRACE = re.compile(r"\\(?:begin|end)\s*\{[^{}]*\}|\\.|[{}]", re.DOTALL)


def groups(code: str) -> Iterator[tuple[int, int]]:
    """Where each matched group begins and ends, names of environments apart, in the order of the ends."""
    open_: list[int] = []
    for match in _BRACE.finditer(code):
        if match[0] == "{":
            open_.append(match.start())
        elif match[0] == "}" and open_:
            yield open_.pop(), match.start()


ENVIRONMENT_TYPOS = {
    "itemize": "itemise",
    "center": "centre",
    "figure": "figrue",
    "table": "tabel",
    "equation": "equaton",
    "abstract": "abstrac",
    "enumerate": "enumarate",
    "tabular": "tabluar",
    "tabularx": "tabluarx",
    "theorem": "theorm",
    "tikzpicture": "tikzpicure",
    "algorithm": "algoritm",
}


def misspell_environment(name: str) -> str:
    """The name as somebody in haste types it; a star stays."""
    word = name.rstrip("*")
    return ENVIRONMENT_TYPOS.get(word, word[:-2] + word[-1]) + name[len(word) :]


def misspellable(paper: Paper) -> Iterator[tuple[Document, Environment, str]]:
    """Every environment of a body with its misspelt name, in order.

    Left out are `document`, those whose text TeX does not read as code, names too short to be
    recognized, and typos that the paper uses itself.
    """
    for document in paper.tex:
        for environment in environments(body(document)):
            typo = misspell_environment(environment.name)
            special = environment.name in ("document", "comment", *VERBATIM_ENVIRONMENTS)
            taken = any(f"{{{typo}}}" in other.code for other in paper.tex)
            if not special and not taken and len(environment.name.rstrip("*")) > 3:  # noqa: PLR2004
                yield document, environment, typo


GRAPHICS = re.compile(r"\\includegraphics\*?\s*(?:\[([^\]]*)\])?\s*\{\s*([^{}\s][^{}]*?)\s*\}")


def misspell_path(path: str) -> str:
    """The path without the last letter but one of the file's name: `figures/curvs.pdf`."""
    found = re.fullmatch(r"((?:.*/)?[^/.]+)[^/.]([^/.])((?:\.[^/.]*)?)", path)
    return "".join(found.groups()) if found else path


LOAD = re.compile(r"\\(?:usepackage|RequirePackage)\s*(?:\[[^\]]*\])?\s*\{([^{}]*)\}")


def loads(document: Document) -> Iterator[tuple[re.Match[str], int, int, str]]:
    """Every package that a file loads: the whole command, from and to of the name, the name."""
    for match in LOAD.finditer(document.code):
        for name in re.finditer(r"[^\s,]+", match[1]):
            offset = match.start(1)
            yield match, offset + name.start(), offset + name.end(), name[0]
