"""Locale packs: how numbers, amounts and dates are written in a place, and what people and firms are called there."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, cast

from lattice_env.errors import SeedError, UsageError

FOLDER = Path(__file__).parent / "locales"
GROUPINGS = ("thousands", "indian")
MONTHS = 12


@dataclass(frozen=True)
class Locale:
    """The conventions of one place; everything in it is ASCII."""

    name: str
    currency: str
    sign: str
    usd: str
    """An amount as `{number}` with `{sign}` or `{code}`; so is `code`, which must read otherwise."""
    code: str
    group: str
    decimal: str
    grouping: str
    percent: str
    spelled: str
    long: str
    """A date of `{d}`, `{dd}`, `{m}`, `{mm}`, `{yyyy}`, `{month}`, `{mon}`; so are `short` and `abbr`."""
    short: str
    abbr: str
    months: tuple[str, ...]
    mons: tuple[str, ...]
    people: tuple[str, ...]
    companies: tuple[str, ...]
    streets: tuple[str, ...]
    cities: tuple[str, ...]
    domain: str
    """What follows the firm's name in an e-mail address."""

    def words(self, name: str) -> tuple[str, ...]:
        """One of the lists of names; KeyError for another word."""
        return LISTS[name](self)


LISTS: Mapping[str, Callable[[Locale], tuple[str, ...]]] = {
    "people": lambda locale: locale.people,
    "companies": lambda locale: locale.companies,
    "streets": lambda locale: locale.streets,
    "cities": lambda locale: locale.cities,
}
"""The lists that the sampler `locale` draws from."""
_TUPLES = ("months", "mons", *LISTS)


def locale_names() -> list[str]:
    """The bundled packs."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def load_locales() -> dict[str, Locale]:
    """All bundled packs by name."""
    return {name: load_locale(name) for name in locale_names()}


@cache
def load_locale(name: str) -> Locale:
    """A bundled pack; UsageError for an unknown name, SeedError for one that is not whole."""
    if name not in locale_names():
        message = f"no locale is called {name!r}"
        raise UsageError(message, hint=f"known: {', '.join(locale_names())}")
    return read_locale(FOLDER / f"{name}.toml")


def read_locale(path: Path) -> Locale:
    """The pack in a file; SeedError where a key is missing, unknown, or not what it must be."""
    try:
        body = tomllib.loads(path.read_text("ascii"))
    except (OSError, ValueError) as error:
        message = f"{path}: {error}"
        raise SeedError(message) from error
    _check(body, path)
    given: dict[str, Any] = {name: tuple(value) if name in _TUPLES else value for name, value in body.items()}
    return Locale(**given)


def _check(body: Mapping[str, Any], path: Path) -> None:
    names = [item.name for item in fields(Locale)]
    if sorted(body) != sorted(names):
        message = f"{path}: keys missing or unknown: {', '.join(sorted({*body} ^ {*names}))}"
        raise SeedError(message)
    for name, value in body.items():
        if not (_is_list(value) if name in _TUPLES else isinstance(value, str)):
            message = f"{path}: {name} must be {'a list of texts' if name in _TUPLES else 'text'}, not {value!r}"
            raise SeedError(message)
    problem = _problem(body, path)
    if problem:
        message = f"{path}: {problem}"
        raise SeedError(message)


def _is_list(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in cast("list[Any]", value)) and value != []


def _problem(body: Mapping[str, Any], path: Path) -> str:
    if body["name"] != path.stem:
        return f"name {body['name']!r} is not the file's"
    if body["grouping"] not in GROUPINGS:
        return f"grouping must be one of {', '.join(GROUPINGS)}"
    if len(body["months"]) != MONTHS or len(body["mons"]) != MONTHS:
        return "months and mons must have twelve names each"
    if len({body["usd"], body["code"], "{number}"}) < 3:  # noqa: PLR2004 - the three formats of money
        return "usd, code and {number} must all read differently"
    return ""
