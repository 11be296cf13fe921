"""Formulas in running text: dollars that are missing or too many, fonts, symbols."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest

from lattice_env.verifier.latex import Document, group_end

from .paragraphs import blank_verbs, paragraphs, without_displays
from .scene import Change, Scene

_WORD = re.compile(r"[A-Za-z]{2,}")
_ATOM = re.compile(
    r"\\(?:frac|sqrt|mathrm|mathbf|mathcal|mathbb|text|hat|bar|tilde|overline)\{[^{}]*\}(?:\{[^{}]*\})?"
    r"|\\(?!ref|cite|eqref|emph|text(?:bf|it|tt|sc)|footnote|label|section|item|begin|end)[A-Za-z]+(?:\{[^{}]*\})?"
    r"|[A-Za-z](?![A-Za-z])|\d+(?:\.\d+)?|[=<>+*/|()-]|\\[{},;!]|[_^](?:\{(?:[^{}]|\{[^{}]*\})*\}|\\[A-Za-z]+(?:\{[^{}]*\})?|[A-Za-z0-9])"
)
_RELATION = re.compile(
    r"[=<>+*/-]|\\(?:leq?|geq?|in|neq?|approx|sim|to|times|cdot|pm|mid|subset\w*|ll|gg|equiv)(?![A-Za-z])"
)

_HIDDEN = re.compile(
    r"\\(?:label|[a-z]*ref|[a-zA-Z]*cite[a-z]*|input|includegraphics|begin|end|url|bibliography\w*)\*?"
    r"(?:\[[^\]]*\])*\{[^{}]*\}"
)


def formula_end(code: str, start: int) -> int:
    """How far a run of mathematics reaches from `start`: up to a word, an end of a sentence or a bracket."""
    position = end = start
    depth = 0
    while found := re.compile(r"\s*").match(code, position):
        position = found.end()
        atom = _ATOM.match(code, position)
        if not atom or (atom[0] == ")" and depth == 0):
            break
        depth += (atom[0] == "(") - (atom[0] == ")")
        lone = atom[0].isalpha() and len(atom[0]) == 1
        if lone and end > start and code[end:position].strip("") and not _joined(code, start, end, atom.end()):
            break
        position = atom.end()
        end = position
    while end > start and code[start:end].rstrip()[-1:] in ("(", "-", "="):
        end = start + len(code[start:end].rstrip()) - 1
    return start + len(code[start:end].rstrip())


def _joined(code: str, start: int, end: int, after: int) -> bool:
    """Whether a letter behind a space belongs to the formula: a relation before it, or a script behind it."""
    before = code[start:end].rstrip()
    return (
        bool(_RELATION.search(before[-4:]) and _RELATION.search(before[-1:] or " "))
        or code[after : after + 1] in "_^"
        or bool(re.search(r"\\[A-Za-z]+$", before))
    )


def formula_start(code: str, end: int, floor: int) -> int:
    """How far a run of mathematics reaches back from `end`, through relations alone."""
    start = end
    while start > floor:
        found = re.search(r"(?:^|(?<=[\s(~]))(\S+?)(\s*)$", code[floor:start])
        if not found or not found[1]:
            break
        piece, gap = found[1], found[2]
        if start == end and not gap:
            start = floor + found.start(1)
            continue
        relation = _RELATION.fullmatch(piece)
        atom = bool(_ATOM.match(piece)) and not _WORD.match(piece)
        following = code[start:end].lstrip()
        if relation or (atom and _RELATION.match(following)):
            start = floor + found.start(1)
        else:
            break
    return start


def bare_script(scene: Scene) -> Iterator[Change]:
    """A script in running text: an underscore of a name is escaped, a formula gets its dollars."""
    document, stop = scene.here, scene.stopped()
    if document is None or not scene.failure.line or scene.failure.stop.message.startswith("Display"):
        return
    line_start, line_end = document.line_span(scene.line_start(document, scene.failure.line))
    limit = stop if stop is not None else line_end
    line = _outside(document, line_start, line_end)
    marks = [
        match.start() + line_start for match in re.finditer(r"[_^]", line) if match.start() + line_start < limit + 1
    ]
    if not marks:
        yield from _bare_command(document, line_start, line)
        return
    mark = marks[0]
    text = document.text
    if (
        text[mark] == "_"
        and re.search(r"[A-Za-z]{2,}\d*$|\d$", text[line_start:mark])
        and re.match(r"_[A-Za-z]{2,}", text[mark:])
    ):
        yield Change(document.path, ((mark, mark, "\\"),), "an underscore in a name has no backslash")
        return
    start = formula_start(text, _atom_start(text, mark, line_start), line_start)
    yield from _wrapped(document, start, formula_end(text, start))


def _bare_command(document: Document, line_start: int, line: str) -> Iterator[Change]:
    found = re.search(
        r"\\(?:[a-z]*(?:alpha|beta|gamma|delta|epsilon|lambda|sigma|theta|mu|pi|rho|tau|phi|omega|eta)|times|leq?|geq?|approx|in|cdot|pm|sum|infty)(?![A-Za-z])",
        line,
    )
    if found:
        start = formula_start(document.text, line_start + found.start(), line_start)
        yield from _wrapped(document, start, formula_end(document.text, start))


def _atom_start(text: str, mark: int, floor: int) -> int:
    found = re.search(r"(?:\\[A-Za-z]+(?:\{[^{}]*\})*|[A-Za-z0-9)}.]+?)$", text[floor:mark])
    if found and re.fullmatch(r"[A-Za-z]{2,}", found[0]):
        return mark - 1
    found = re.search(r"(?:\\[A-Za-z]+(?:\{[^{}]*\})*|\d+(?:\.\d+)?|[A-Za-z])$", text[floor:mark])
    return floor + found.start() if found else mark


def _wrapped(document: Document, start: int, end: int) -> Iterator[Change]:
    inside = document.text[start:end]
    if end > start and "$" not in inside and "\n" not in inside:
        yield Change(
            document.path, ((start, start, "$"), (end, end, "$")), f"{inside} is a formula without its dollars"
        )


def _outside(document: Document, start: int, end: int) -> str:
    """A line with its formulas, and the arguments that print nothing, blanked."""
    line = blank_verbs(document.code[start:end])
    line = re.sub(r"\$[^$]*\$", lambda match: " " * len(match[0]), line)
    return _HIDDEN.sub(lambda match: " " * len(match[0]), line)


def odd_dollar(scene: Scene) -> Iterator[Change]:
    """A paragraph with an odd number of dollars: the one without a partner is closed behind its formula, or escaped."""
    document = scene.here
    if document is None:
        return
    line = scene.failure.line
    for stretch in paragraphs(document):
        if not document.line_of(stretch.start) <= line + 1 or document.line_of(stretch.end) < line - 14:
            continue
        code = without_displays(document, stretch)
        places = [match.start() + stretch.start for match in re.finditer(r"\$", code)]
        if len(places) % 2:
            yield from _odd(document, places)


def _odd(document: Document, places: list[int]) -> Iterator[Change]:
    text = document.text
    able: list[int] = []
    for lone in range(0, len(places), 2):
        rest = places[:lone] + places[lone + 1 :]
        pairs = zip(rest[::2], rest[1::2], strict=True)
        if all(_is_formula(text[a + 1 : b]) for a, b in pairs):
            able.append(places[lone])
    chosen = [place for place in able if _opens(text, place)]
    if len(chosen) != 1:
        return
    place = chosen[0]
    if re.match(r"\$\d+(?:\.\d+)?[~ ](?:[a-z]{2,})", text[place : place + 40]):
        yield Change(document.path, ((place, place, "\\"),), "a dollar before an amount is a sign of money")
        return
    end = formula_end(text, place + 1)
    if end > place + 1:
        yield Change(document.path, ((end, end, "$"),), f"the formula {text[place:end]} is not closed")


def _is_formula(text: str) -> bool:
    bare = re.sub(r"\\(?:text|mathrm|mathit|mathbf|operatorname)\{[^{}]*\}|\\[A-Za-z]+", " ", text)
    return "\n\n" not in text and not re.search(r"[A-Za-z]{3,}", bare) and bool(text.strip())


def _opens(text: str, place: int) -> bool:
    return not text[place + 1 : place + 2].isspace() and (place == 0 or text[place - 1] in " \n~(-{[,`")


def text_font(scene: Scene) -> Iterator[Change]:
    """A font switch for text in a formula: the font for formulas, around the same letters."""
    document = scene.here
    if document is None:
        return
    found = re.search(
        r"Command \\(rm|sf|tt|bf|it)(?:family|series|shape)? ?invalid in math|Command \\(itshape|bfseries)",
        scene.failure.message,
    )
    if not found:
        return
    kind = (found[1] or found[2])[:2]
    start = scene.line_start(document, scene.failure.line)
    match = re.compile(rf"\{{\\{kind}(?:family|series|shape)\s*").search(document.code, start)
    if match and group_end(document.code, match.start()) is not None:
        yield Change(document.path, ((match.start(), match.end(), f"\\math{kind}{{"),), "a font for text in a formula")


def primitive(scene: Scene) -> Iterator[Change]:
    """A word of TeX's own for the symbol of the same name."""
    document = scene.here
    if document is None or not scene.failure.line:
        return
    start, end = document.line_span(scene.line_start(document, scene.failure.line))
    for match in re.finditer(r"\$[^$]*?(\\(and|or))(?![A-Za-z])[^$]*\$", document.code[start:end]):
        name = {"and": "\\land", "or": "\\lor"}[match[2]]
        yield Change(
            document.path, ((start + match.start(1), start + match.end(1), name),), f"\\{match[2]} is no symbol"
        )


def unclosed_inline(scene: Scene) -> Iterator[Change]:
    """A `\\(` without its `\\)`."""
    document = scene.here
    if document is None:
        return
    flat = re.sub(r"\\\\", "  ", document.code)
    marks = list(re.finditer(r"\\([()])", flat))
    for one, two in zip_longest(marks, marks[1:]):
        if one[1] == "(" and (two is None or two[1] == "("):
            end = formula_end(document.text, one.end())
            if end > one.end():
                yield Change(document.path, ((end, end, "\\)"),), f"{document.text[one.start() : end]} is not closed")
            return
