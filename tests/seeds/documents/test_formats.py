"""How values are written, by each locale's conventions."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from itertools import product

import pytest

from lattice_env.errors import SeedError, UsageError
from lattice_env.seeds.documents import load_locale, load_locales
from lattice_env.seeds.documents.formats import FORMATS, write_value
from lattice_env.seeds.documents.locale import FOLDER, read_locale
from lattice_env.seeds.documents.words import number_words

US = load_locale("en_US")
VALUES = {
    "money": [Decimal("4530.00"), Decimal("0.05"), Decimal("1234567.89")],
    "date": [date(2026, 3, 14), date(2025, 12, 1)],
    "rate": [Decimal("8.25"), Decimal("8.875")],
    "count": [12, 1240],
}


@pytest.mark.parametrize(
    ("value", "style", "text"),
    [
        (Decimal("4530.00"), "usd", "$4,530.00"),
        (Decimal("4530.00"), "code", "USD 4,530.00"),
        (Decimal("1234567.80"), "plain", "1,234,567.80"),
        (date(2026, 3, 14), "iso", "2026-03-14"),
        (date(2026, 3, 4), "long", "March 4, 2026"),
        (date(2026, 3, 14), "short", "03/14/2026"),
        (date(2026, 3, 4), "abbr", "04 Mar 2026"),
        (12, "words", "twelve (12)"),
        (1240, "int", "1,240"),
        (Decimal("8.25"), "percent", "8.25%"),
        (Decimal("8.25"), "spelled", "8.25 percent"),
        ("PO-1", "id", "PO-1"),
    ],
)
def test_the_formats_of_the_seed(value, style, text):
    assert write_value(value, style, US) == text


@pytest.mark.parametrize("name", load_locales())
def test_every_pack_writes_each_value_in_as_many_ways_as_there_are_formats(name):
    locale = load_locale(name)
    for kind, values in VALUES.items():
        for value in values:
            texts = [write_value(value, style, locale) for style in FORMATS[kind]]
            assert len(set(texts)) == len(texts)
            assert all(text.isascii() for text in texts)


@pytest.mark.parametrize("name", load_locales())
def test_no_two_values_are_written_alike(name):
    locale = load_locale(name)
    days = [date(2026, month, day) for month, day in product(range(1, 13), (1, 2, 11, 28))]
    for style in FORMATS["date"]:
        assert len({write_value(day, style, locale) for day in days}) == len(days)


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "zero"),
        (13, "thirteen"),
        (26, "twenty-six"),
        (40, "forty"),
        (206, "two hundred six"),
        (1001, "one thousand one"),
    ],
)
def test_numbers_in_words(number, words):
    assert number_words(number) == words


@pytest.mark.parametrize("number", [-1, 10**9])
def test_numbers_without_words(number):
    with pytest.raises(ValueError, match="no words for"):
        number_words(number)


def test_an_unknown_locale_is_an_error_of_usage():
    with pytest.raises(UsageError, match="no locale is called 'xx_XX'"):
        load_locale("xx_XX")


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('sign = "$"\n', "", "keys missing or unknown: sign"),
        ('grouping = "thousands"', 'grouping = "dozens"', "grouping must be one of"),
        ('"January", ', "", "twelve names"),
        ('usd = "{sign}{number}"', 'usd = "{number}"', "read differently"),
        ('name = "en_US"', 'name = "en_UK"', "is not the file's"),
        ('sign = "$"', "sign = 4", "sign must be text"),
        ('domain = "example"', 'domain = "ex\u00e4mple"', "ascii"),
    ],
)
def test_a_broken_pack_is_refused(tmp_path, old, new, why):
    text = (FOLDER / "en_US.toml").read_text("ascii")
    assert old in text
    place = tmp_path / "en_US.toml"
    place.write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(SeedError, match=why):
        read_locale(place)
