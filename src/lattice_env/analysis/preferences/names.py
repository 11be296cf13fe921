"""People's names as patterns: in every spelling that LaTeX, a note or a citation key may give them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from lattice_env.verifier.latex import group_end

from .project import Person

_ACCENTS = {
    "\u0300": "`",
    "\u0301": "'",
    "\u0302": "^",
    "\u0303": "~",
    "\u0304": "=",
    "\u0306": "u",
    "\u0307": ".",
    "\u0308": '"',
    "\u030a": "r",
    "\u030b": "H",
    "\u030c": "v",
    "\u0327": "c",
    "\u0328": "k",
}
"""Unicode's combining accents and the commands that LaTeX writes them with."""

_UMLAUT = "\u0308"
_LETTERS = {"ß": r"ss", "ø": r"o", "Ø": r"O", "ł": r"l", "Ł": r"L", "æ": r"ae", "Æ": r"AE", "å": r"aa"}
_GAP = r"(?:[\s~]|\\[ ,])+"
_LEAST = 3
"""Letters of the shortest part of a name that is looked for by itself."""

AUTHOR_COMMANDS = (
    "author",
    "authors",
    "name",
    "affiliation",
    "affil",
    "address",
    "institute",
    "email",
    "thanks",
    "orcid",
    "corresp",
    "correspondingauthor",
    "authorrunning",
    "shortauthors",
    "icmlauthor",
    "icmlaffiliation",
    "ead",
)
_AUTHOR = re.compile(rf"\\(?:{'|'.join(AUTHOR_COMMANDS)})(?![A-Za-z@])\*?\s*(?:\[[^\]]*\]\s*)?(?=\{{)")


def name_pattern(people: Iterable[Person], printed: Iterable[str] = ()) -> re.Pattern[str] | None:
    """One pattern for all names, longest first; None where there are none.

    A whole name matches in any case; one part of it as it is spelled, or in small letters before a digit,
    which is how citation keys are made.
    """
    wholes, parts, handles = set(printed), set[str](), set[str]()
    for person in people:
        wholes |= {person.name, *person.aliases}
        handles |= {person.id, person.email.partition("@")[0]}
    for whole in wholes:
        words = re.findall(r"[^\s,]+", whole)
        parts |= {word for word in words if len(word.strip(".")) >= _LEAST}
    patterns = [re.escape(handle) for handle in _longest(handle for handle in handles if len(handle) > _LEAST)]
    patterns += [f"(?i:{_words(whole)})" for whole in _longest(wholes)]
    patterns += [f"(?:{_letters(part)}|{_letters(part.casefold())}(?=[\\d_:-]))" for part in _longest(parts)]
    return re.compile(rf"(?<![^\W\d_])(?:{'|'.join(patterns)})(?![^\W\d_])") if patterns else None


def _longest(words: Iterable[str]) -> list[str]:
    return sorted({word for word in words if word.strip()}, key=lambda word: (-len(word), word))


def _words(name: str) -> str:
    """A name with any gap between its words, and in turned order with a comma."""
    words = [_letters(word) for word in re.findall(r"[^\s,]+", name)]
    straight = _GAP.join(words)
    turned = f"{words[-1]}\\s*,\\s*{_GAP.join(words[:-1])}" if len(words) > 1 else straight
    return f"(?:{straight}|{turned})"


def _letters(word: str) -> str:
    return "".join(map(_letter, unicodedata.normalize("NFC", word)))


def _letter(letter: str) -> str:
    """A letter in each of its spellings: composed, decomposed, with LaTeX's command, without its accent."""
    if letter in _LETTERS:
        return rf"(?:{letter}|\{{?\\{_LETTERS[letter]}(?:\{{\}}|\s+|\}})?|{_LETTERS[letter]})"
    base, *marks = unicodedata.normalize("NFD", letter)
    if not marks:
        return re.escape(letter)
    accent = _ACCENTS.get(marks[0])
    spelled = rf"|\{{?\\{re.escape(accent)}\s*\{{?\\?{base}\}}?\}}?" if accent else ""
    turned = f"{base}e|" if marks[0] == _UMLAUT else ""
    return rf"(?:{letter}|{base}{marks[0]}{spelled}|{turned}{base})"


def author_blocks(text: str) -> Iterator[tuple[int, int]]:
    """From and to, braces excluded, of the arguments that say who wrote a paper and where."""
    for match in _AUTHOR.finditer(text):
        end = group_end(text, match.end())
        if end:
            yield match.end() + 1, end - 1


def printed_names(text: str) -> set[str]:
    """What looks like people's names in a paper's author blocks: two to four words with capitals."""
    found: set[str] = set()
    for start, end in author_blocks(text):
        plain = re.sub(r"\\and\b|\\\\|\$[^$]*\$|\\[A-Za-z]+\*?(?:\[[^\]]*\])?", "\n", text[start:end])
        for line in re.split(r"[\n,;&{}]", plain):
            words = line.replace("~", " ").split()
            if 1 < len(words) <= 4 and all(word[:1].isupper() or word[0] == "\\" for word in words):  # noqa: PLR2004
                found.add(" ".join(words))
    return found
