"""What may stand outside the placeholders of a template: no number of any kind, and no name of a currency.

A number that is not a placeholder is one that nobody computes: it stays stale when the document changes, and it may
read like a value by accident. Refused are digits; cardinals from two (two, twelve, forty-five, hundred, million), zero,
half and dozens; ordinals from the fourth. Left alone, since prose needs them and no value is written so: `one` as a
pronoun (refused before a unit: one day, one per cent); first, second and third (an order, a second opinion, a third
party); once, twice, both, pair, single, double; quarter (a part of a firm's year).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .templates import Problem, literals, numbered_lines
from .words import SMALL, TENS

_CARDINALS = (*SMALL[2:], *filter(None, TENS), "zero", "half", "halves")
_SCALES = "dozen hundred thousand million billion".split()
_ORDINALS = (
    "fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth"
    " seventeenth eighteenth nineteenth twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth"
    " ninetieth hundredth thousandth"
).split()
_UNITS = (
    "day week month year hour minute percent per unit piece item line copy pallet box metre meter kilogram"
    " dozen hundred thousand million"
).split()
_WORDS = "|".join([*_CARDINALS, *(f"{word}s?" for word in _SCALES), *_ORDINALS])
_NUMBER_WORD = re.compile(rf"\b(?:{_WORDS})\b|\bone(?=[ -](?:{'|'.join(_UNITS)})s?\b)", re.IGNORECASE)
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_MONEY = re.compile(r"[$]|\b(?:USD|GBP|EUR|INR|dollars?|euros?|rupees?|sterling)\b", re.IGNORECASE)

_REFUSED = (
    (_DIGITS, "bare digits", "show a fact in a placeholder, or say it without a number"),
    (_NUMBER_WORD, "a number word", "show a count as {fact:words}, or say several, a few, each, all"),
    (_MONEY, "a currency outside placeholders", "a money placeholder writes its own: {fact:usd}, {fact:code}"),
)


def wording_problems(text: str) -> Iterator[Problem]:
    """Every number and currency outside placeholders, in order."""
    for number, line in numbered_lines(text):
        for column, literal in literals(line):
            for pattern, what, hint in _REFUSED:
                for found in pattern.finditer(literal):
                    yield Problem(number, column + found.start(), f"{what}: {found.group()!r}", hint)
