"""What of an answer prints a formula: the rest could only be there to please the error rate."""

from __future__ import annotations

import re

from .answer import tokens

_WORD, _BETWEEN = "[A-Za-z]{2,}+", r"(?:[ \t\r\xa0,;:.!?'\u2019-]++(?:\n(?!\s*\n))?|\n(?!\s*\n))"
_ARTICLE = f"(?:[AaI]{_BETWEEN})?"
_PROSE = re.compile(
    rf"(?<![\\A-Za-z]){_ARTICLE}(?:{_WORD}{_BETWEEN}{_ARTICLE}){{2,}}{_WORD}[,;:.!?]*"
    r"|(?<![\\A-Za-z])[A-Za-z]{4,}+[:!.](?=\s|\Z)|`{3,}[a-z]*"
)
"""Three words in a row, a word with a colon or a full stop, or a fence within: sentences around a formula."""
_GAP = r"[\s,;:.!?'\u2019-]"
_SPOKEN = re.compile(
    rf"{_GAP}(?:(?<=[A-Za-z]{{2}}{_GAP}){_GAP}*+(?:[AaI]{_GAP}++)?[A-Za-z]{{2}}|(?<=[A-Za-z]{{4}}[:!.]))"
)
"""Two words, or a word with a colon or a full stop: it is found faster than what `_PROSE` matches, which has it."""
_COMMENT = re.compile(r"(\\.)|%[^\n]*\n?\s*", re.DOTALL)
_WHITE = ["{", *"white", "}"]
PHANTOMS = (r"\phantom", r"\hphantom", r"\vphantom")
NOTHING = (r"\relax", r"\null", r"\empty", "\u200b", "\u200c", "\u200d", "\u2060", "\ufeff")


_SIGNS = ("%", "{}", r"\relax", r"\null", r"\empty", "phantom", "color")


def looks_padded(text: str, whole: str) -> bool:
    """False only where `pared(without_prose(text))` keeps every token of `text`; `whole` is `text` joined.

    Most answers are not looked at any closer.
    """
    return (
        any(sign in whole for sign in _SIGNS)
        or not text.isascii()
        or "```" in text
        or (_SPOKEN.search(text) is not None and _PROSE.search(text) is not None)
        or any(_repeats(said) for said in (whole, f"{whole} "))
    )


def _repeats(said: str) -> bool:
    return 0 < (said + said).find(said, 1) < len(said)


def pared(text: str) -> list[str]:
    """The tokens of `text` without comments, empty groups, phantoms, white ink and repetitions of the whole."""
    return once(_seen(text))


def without_prose(text: str) -> str:
    """`text` without the sentences and fences around its formula; a formula's own words go too."""
    return _PROSE.sub(" ", text)


def _seen(text: str) -> list[str]:
    found: list[str] = []
    starts: list[int] = []
    # Repetitions go first: between two of them a group may close that is empty only there.
    for token in once([token for token in tokens(_COMMENT.sub(_uncomment, text)) if token not in NOTHING]):
        found.append(token)
        if token == "{":  # noqa: S105 - a brace is no password
            starts.append(len(found) - 1)
        elif token == "}" and starts:  # noqa: S105 - nor is this one
            start = _unseen_from(found, starts.pop())
            del found[start:]
    return found


def _uncomment(match: re.Match[str]) -> str:
    return match[1] or ""


def _unseen_from(found: list[str], start: int) -> int:
    """Where what the group at `start`, the last of `found`, leaves unseen begins; the end where it is seen."""
    if found[max(0, start - 1)] in PHANTOMS:
        return start - 1
    if len(found) == start + len("{}") or found[start + 1 : start + 2 + len(_WHITE)] == [r"\color", *_WHITE]:
        return start
    command = start - 1 - len(_WHITE)
    return command if command >= 0 and found[command:start] == [r"\textcolor", *_WHITE] else len(found)


def once(found: list[str]) -> list[str]:
    """One of the equal parts that `found` is made of: where its text, a token a line, is found in itself again."""
    if not found:
        return found
    text = "\n".join(found) + "\n"
    period = (text + text).find(text, 1)
    return found[: text.count("\n", 0, period)]
