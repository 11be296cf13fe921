"""LaTeX source as text with a mask: what is live, what is comment, verbatim or dead.

This reads the surface of LaTeX, as a careful person would; it does not expand macros. Where TeX could
be made to read differently (category codes, `\\csname`), the gate `vocabulary` forbids the means.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property

LIVE, COMMENT, VERBATIM, DEAD = "L", "c", "v", "d"

VERBATIM_ENVIRONMENTS = ("verbatim", "verbatim*", "Verbatim", "lstlisting", "minted", "alltt", "filecontents")
VERBATIM_COMMANDS = ("verb", "lstinline", "mintinline")
URL_COMMANDS = ("url", "path", "nolinkurl", "href")
"""Commands in whose first argument a `%` is no comment."""

_CARET = r"\^\^(?:[0-9a-f]{2}|.)"
CONTROL = re.compile(rf"\\(?:{_CARET}|[A-Za-z@]+|.)|{_CARET}", re.DOTALL)
"""A control sequence, or a character in `^^` notation, which may stand in the name of one."""
TOKEN = re.compile(rf"{CONTROL.pattern}|[A-Za-z]+|[0-9]+|\S", re.DOTALL)
"""A token of source: a control sequence, `^^x`, a word, a number, or one other character."""

_STEP = re.compile(r"%[^\n\r]*|\\[A-Za-z@]+\*?|\\.", re.DOTALL)
_CONDITIONAL = re.compile(
    r"%[^\n\r]*|\\(if(?!(?:f|thenelse)(?![A-Za-z@]))[A-Za-z@]*+(?!\s*\{)|else|fi)(?![A-Za-z@])|\\.", re.DOTALL
)
"""A TeX conditional, or its end; `\\iff` is none, nor is what takes its cases in braces."""
_GROUPING = re.compile(r"\\.|[{}]", re.DOTALL)
_NAME = re.compile(r"(?:\s|%[^\n\r]*[\n\r])*\{([^{}\n]*)\}")
_SPACE = re.compile(r"\s*")
_PRINTED = re.compile(r"[^\n\r]")


def is_utf8(data: bytes) -> bool:
    """Whether a source is UTF-8; if it is not, it is taken for Latin-1."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def decode(data: bytes) -> str:
    """The text of a source: UTF-8, or Latin-1 where it is not UTF-8."""
    return data.decode("utf-8" if is_utf8(data) else "latin-1")


def encode(text: str, like: bytes) -> bytes:
    """`text` in the encoding that `decode` found in `like`."""
    return text.encode("utf-8" if is_utf8(like) else "latin-1")


def tokens(text: str) -> list[str]:
    """The tokens of `text`, comments and all."""
    return TOKEN.findall(text)


@dataclass(frozen=True)
class Words:
    """A stretch of text, its tokens, and the offset of each."""

    text: str
    texts: list[str]
    offsets: list[int]


def words_of(text: str, start: int = 0) -> Words:
    """The tokens of a text that stands at `start`."""
    matches = list(TOKEN.finditer(text))
    return Words(text, [match[0] for match in matches], [match.start() + start for match in matches])


@dataclass(frozen=True)
class Document:
    """One source file: its path in the project and its text, with what can be read off it.

    All that is read off is kept with it, so documents that are asked often are made once.
    """

    path: str
    text: str

    @cached_property
    def spans(self) -> tuple[tuple[int, int, str], ...]:
        """From, to and letter of every stretch that is not LIVE, in order."""
        return () if self.path.endswith(".bib") else tuple(_spans(self.text))

    @cached_property
    def mask(self) -> str:
        """One letter a character: LIVE, COMMENT, VERBATIM or DEAD."""
        return "".join(letter * (end - start) for start, end, letter in self._stretches())

    def _stretches(self) -> Iterator[tuple[int, int, str]]:
        """The whole text in stretches of one letter each."""
        position = 0
        for start, end, letter in self.spans:
            yield position, start, LIVE
            yield start, end, letter
            position = end
        yield position, len(self.text), LIVE

    @cached_property
    def code(self) -> str:
        """The text with everything but live code blanked; every offset stays."""
        return self.only(LIVE)

    @cached_property
    def live(self) -> str:
        """The text that reaches the page: code and verbatim; the rest blanked; every offset stays."""
        return self.only(LIVE + VERBATIM)

    @cached_property
    def dead(self) -> str:
        """What stands in the file and never reaches the page, switched off otherwise than by `%`."""
        return self.only(DEAD)

    @cached_property
    def comments(self) -> str:
        """The comments alone; every offset stays."""
        return self.only(COMMENT)

    @cached_property
    def spoken(self) -> str:
        """The text without its comments; every offset stays."""
        return self.only(LIVE + VERBATIM + DEAD)

    @cached_property
    def live_words(self) -> Words:
        """The tokens of `live`."""
        return words_of(self.live)

    @cached_property
    def spoken_words(self) -> Words:
        """The tokens of `spoken`."""
        return words_of(self.spoken)

    @cached_property
    def controls(self) -> Counter[str]:
        """How often each control sequence stands in `spoken`."""
        return Counter(CONTROL.findall(self.spoken))

    @cached_property
    def letters(self) -> frozenset[str]:
        """The characters beyond ASCII that stand in the text."""
        return frozenset(letter for letter in set(self.text) if not letter.isascii())

    @cached_property
    def comment_spans(self) -> tuple[tuple[int, int], ...]:
        """From and to of every comment, its `%` included."""
        return tuple((start, end) for start, end, letter in self.spans if letter == COMMENT)

    def only(self, letters: str) -> str:
        """The text with all characters blanked whose mask is not in `letters`; newlines stay."""
        parts = ((self.text[start:end], letter in letters) for start, end, letter in self._stretches())
        return "".join(part if kept else _PRINTED.sub(" ", part) for part, kept in parts)

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(m.end() for m in re.finditer("\n", self.text))]

    def line_of(self, offset: int) -> int:
        """The number, from 1, of the line that holds `offset`."""
        return bisect_right(self._line_starts, offset)

    def line_span(self, offset: int) -> tuple[int, int]:
        """Start and end of the line that holds `offset`, its newline included."""
        start = self._line_starts[self.line_of(offset) - 1]
        end = self.text.find("\n", offset)
        return start, len(self.text) if end < 0 else end + 1

    def line_text(self, number: int) -> str:
        """The text of line `number`, stripped; empty where there is no such line."""
        lines = self.text.split("\n")
        return lines[number - 1].strip() if 0 < number <= len(lines) else ""

    @cached_property
    def body_start(self) -> int:
        """The offset just behind `\\begin{document}`; 0 in a file without one."""
        found = re.search(r"\\begin\s*\{document\}", self.code)
        return found.end() if found else 0


def group_end(code: str, start: int) -> int | None:
    """The offset behind the brace that closes the one at `start`; None where it never closes."""
    depth = 0
    for match in _GROUPING.finditer(code, start):
        if match[0] == "{":
            depth += 1
        elif match[0] == "}":
            depth -= 1
            if depth == 0:
                return match.end()
    return None


def group_ends(code: str) -> dict[int, int]:
    """The offset of every brace that is closed → the offset behind the one that closes it, in one pass over all."""
    open_: list[int] = []
    ends: dict[int, int] = {}
    for match in _GROUPING.finditer(code):
        if match[0] == "{":
            open_.append(match.start())
        elif match[0] == "}" and open_:
            ends[open_.pop()] = match.end()
    return ends


def commands(code: str, names: str) -> Iterator[re.Match[str]]:
    """Every live `\\name` in order, for a regular expression of names; group 1 is the name."""
    return re.finditer(rf"\\({names})(?![A-Za-z@])\*?", code)


@dataclass(frozen=True)
class Environment:
    """A matched pair: offsets of `\\begin{name}` and `\\end{name}`, from and to."""

    name: str
    begin: int
    body: int
    body_end: int
    end: int


def environments(code: str) -> list[Environment]:
    """All well-nested environments, in the order of their `\\begin`."""
    found: list[Environment] = []
    open_: list[tuple[str, int, int]] = []
    for match in re.finditer(r"\\(begin|end)\s*\{([A-Za-z@]+\*?)\}", code):
        if match[1] == "begin":
            open_.append((match[2], match.start(), match.end()))
        elif open_ and open_[-1][0] == match[2]:
            name, start, body = open_.pop()
            found.append(Environment(name, start, body, match.start(), match.end()))
    return sorted(found, key=lambda environment: environment.begin)


def _spans(text: str) -> Iterator[tuple[int, int, str]]:
    position = 0
    ends = cache(lambda: group_ends(text))
    while match := _STEP.search(text, position):
        start, position, letter = _span(text, match, ends)
        if letter != LIVE and start < position:
            yield start, position, letter


def _span(text: str, match: re.Match[str], ends: Callable[[], dict[int, int]]) -> tuple[int, int, str]:
    """What one comment or control sequence masks: (start, end, letter); scanning goes on at the end."""
    word, start, end = match[0].rstrip("*").lstrip("\\"), match.start(), match.end()
    if match[0].startswith("%"):
        return start, end, COMMENT
    if word in ("begin", "end") and (name := _NAME.match(text, end)):
        return _environment_span(text, word, name)
    if word in VERBATIM_COMMANDS:
        return end, _verbatim_end(text, end, bare=word == "verb"), VERBATIM
    if word in URL_COMMANDS:
        return end, _braced_end(text, end, ends), LIVE
    if word in ("iffalse", "endinput"):
        return end, _conditional_end(text, end) if word == "iffalse" else len(text), DEAD
    return start, end, LIVE


def _environment_span(text: str, word: str, name: re.Match[str]) -> tuple[int, int, str]:
    if word == "end":
        return name.end(), len(text) if name[1] == "document" else name.end(), DEAD
    letter = DEAD if name[1] == "comment" else VERBATIM
    if name[1] != "comment" and name[1] not in VERBATIM_ENVIRONMENTS:
        return name.end(), name.end(), LIVE
    end = text.find(rf"\end{{{name[1]}}}", name.end())
    return name.end(), len(text) if end < 0 else end, letter


def _braced_end(text: str, start: int, ends: Callable[[], dict[int, int]]) -> int:
    """The offset behind the first argument in braces at `start`, options skipped; `start` where there is none."""
    position = _past_space(text, start)
    if text.startswith("[", position):
        position = _past_space(text, text.find("]", position) + 1 or len(text))
    return ends().get(position, start) if text.startswith("{", position) else start


def _past_space(text: str, start: int) -> int:
    gap = _SPACE.match(text, start)
    return gap.end() if gap else start


def _verbatim_end(text: str, start: int, *, bare: bool) -> int:
    """The offset behind `|…|` at `start`, which never leaves the line; unless `bare`, behind `[…]{…}` too."""
    if not bare and text.startswith("[", start):
        start = _past_closer(text, "]", start)
    opener = text[start : start + 1]
    if not opener or opener.isspace():
        return start
    return _past_closer(text, "}" if opener == "{" and not bare else opener, start + 1)


def _past_closer(text: str, closer: str, start: int) -> int:
    """The offset behind the first `closer` from `start` on, or the end of the line; no more of it is looked at."""
    found = re.compile(rf"[\n\r{re.escape(closer)}]").search(text, start)
    return len(text) if found is None else found.end() if found[0] == closer else found.start()


def _conditional_end(text: str, start: int) -> int:
    """The offset of the `\\fi` or `\\else` that ends an `\\iffalse`, or the end of the text."""
    depth = 0
    for match in _CONDITIONAL.finditer(text, start):
        word = match[1]
        if not word:
            continue
        if word.startswith("if"):
            depth += 1
        elif depth == 0:
            return match.start()
        elif word == "fi":
            depth -= 1
    return len(text)
