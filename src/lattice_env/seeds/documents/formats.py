"""How a value is written: the formats of each type, by a locale's conventions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal

from .locale import Locale
from .words import number_words

Value = str | int | Decimal | date
"""text, code and email are str; count is int; money and rate are Decimal; date is date."""

FORMATS: Mapping[str, tuple[str, ...]] = {
    "text": ("text",),
    "code": ("id",),
    "email": ("email",),
    "date": ("iso", "long", "short", "abbr"),
    "money": ("usd", "code", "plain"),
    "rate": ("percent", "spelled"),
    "count": ("int", "words"),
}
"""Each type's formats; the first is the one in which an instruction states a value."""


def write_value(value: Value, style: str, locale: Locale) -> str:
    """A value in one of its type's formats; KeyError for a format that no type has."""
    return _WRITERS[style](value, locale)


def write_number(value: Decimal | int, locale: Locale) -> str:
    """Digits with the locale's separators, and as many decimals as the value has."""
    digits, _, point = str(abs(value)).partition(".")
    text = ("-" if value < 0 else "") + _grouped(digits, locale)
    return f"{text}{locale.decimal}{point}" if point else text


def _grouped(digits: str, locale: Locale) -> str:
    if len(digits) <= 3:  # noqa: PLR2004 - digits of the last group
        return digits
    head, parts = digits[:-3], [digits[-3:]]
    size = 2 if locale.grouping == "indian" else 3
    while head:
        parts.append(head[-size:])
        head = head[:-size]
    return locale.group.join(reversed(parts))


def _money(pattern: str, value: Value, locale: Locale) -> str:
    number = write_number(_number(value), locale)
    return pattern.format(number=number, sign=locale.sign, code=locale.currency)


def _number(value: Value) -> Decimal | int:
    assert isinstance(value, Decimal | int)  # noqa: S101 - the genre was checked when it was loaded
    return value


def _date(pattern: str, value: Value, locale: Locale) -> str:
    assert isinstance(value, date)  # noqa: S101 - as above
    return pattern.format(
        d=value.day,
        dd=f"{value.day:02}",
        m=value.month,
        mm=f"{value.month:02}",
        yyyy=value.year,
        month=locale.months[value.month - 1],
        mon=locale.mons[value.month - 1],
    )


def _rate(pattern: str, value: Value, locale: Locale) -> str:
    return pattern.format(number=write_number(_number(value), locale))


def _counted(value: Value) -> str:
    return f"{number_words(int(_number(value)))} ({value})"


_WRITERS: Mapping[str, Callable[[Value, Locale], str]] = {
    "text": lambda value, _: str(value),
    "id": lambda value, _: str(value),
    "email": lambda value, _: str(value),
    "iso": lambda value, _: str(value),
    "long": lambda value, locale: _date(locale.long, value, locale),
    "short": lambda value, locale: _date(locale.short, value, locale),
    "abbr": lambda value, locale: _date(locale.abbr, value, locale),
    "usd": lambda value, locale: _money(locale.usd, value, locale),
    "code": lambda value, locale: _money(locale.code, value, locale),
    "plain": lambda value, locale: write_number(_number(value), locale),
    "percent": lambda value, locale: _rate(locale.percent, value, locale),
    "spelled": lambda value, locale: _rate(locale.spelled, value, locale),
    "int": lambda value, locale: write_number(_number(value), locale),
    "words": lambda value, _: _counted(value),
}
