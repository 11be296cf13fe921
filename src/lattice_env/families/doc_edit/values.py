"""The values of one document: facts drawn by name, then formulas in order, then decoys beside them."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from lattice_env.keys import Choices
from lattice_env.seeds.documents.facts import OF_OTHERS, Fact
from lattice_env.seeds.documents.formats import Value
from lattice_env.seeds.documents.formulas import Lookup, rounded
from lattice_env.seeds.documents.genre import Genre
from lattice_env.seeds.documents.locale import Locale

from .draws import Draw, Values, draw, instance, members_of

MAILBOXES = ("orders", "accounts", "purchasing", "desk", "office", "records", "billing", "contracts")
MOST_DRAWS = 50
"""How often a value is drawn again that must differ from others."""


def fact_of(name: str) -> str:
    """The fact that an instance is of: `item[2].qty` → `item.qty`."""
    head, bracket, rest = name.partition("[")
    return head + rest.partition("]")[2] if bracket else name


def draw_values(genre: Genre, locale: Locale, key: str) -> dict[str, Value]:
    """All values of a document; each depends on `key` and its own name alone, and on what it is computed from."""
    values: dict[str, Value] = {}
    for group, (low, high) in genre.groups.items():
        values[f"{group}[]"] = low + Choices(key, group).below(high - low + 1)
    facts = genre.facts.values()
    plain = (fact for fact in facts if not fact.formula and fact.sampler not in (*OF_OTHERS, "email"))
    late = (fact for fact in facts if fact.sampler == "email")
    taken: set[str] = set()
    _draw_all([*plain, *late], values, taken, genre, locale, key)
    values = computed(genre, values)
    _draw_all([fact for fact in facts if fact.sampler in OF_OTHERS], values, taken, genre, locale, key)
    return values


def _draw_all(
    facts: Sequence[Fact], values: dict[str, Value], taken: set[str], genre: Genre, locale: Locale, key: str
) -> None:
    for fact in facts:
        for index in members_of(fact.group, values) if fact.group else (0,):
            name = instance(fact.name, index)
            value = values[name] = draw(Draw(fact, name, values, taken, genre, locale, Choices(key, name)))
            if isinstance(value, str):
                taken.add(value)


def computed(genre: Genre, values: Values) -> dict[str, Value]:
    """The values with every formula evaluated anew; what is drawn stays as it is."""
    result = dict(values)
    for fact in genre.order:
        assert fact.formula  # noqa: S101 - `order` holds facts with formulas only
        for index in members_of(fact.group, values) if fact.group else (0,):
            value = fact.formula.evaluate(_lookup(result, index))
            result[instance(fact.name, index)] = rounded(value, fact.type)
    return result


def _lookup(values: Values, index: int) -> Lookup:
    """Looks facts up for one member: `*item.qty` is the list over all members, numbers are decimals."""

    def look(name: str) -> Value | list[Value]:
        if name[0] == "*":
            return [values[instance(name[1:], i)] for i in members_of(name[1:].partition(".")[0], values)]
        value = values[instance(name, index)]
        return Decimal(value) if isinstance(value, int) else value

    return look


def redrawn(genre: Genre, locale: Locale, values: Values, name: str, key: str) -> Value:
    """Another value for a fact that is to change: plausible, and other than every value like it in the document."""
    fact = genre.facts[fact_of(name)]
    taken = {str(value) for value in values.values()}
    choices = Choices(key, "change", name)
    for _ in range(MOST_DRAWS):
        value = _mailbox(str(values[name]), choices) if fact.type == "email" else None
        value = value or draw(Draw(fact, name, values, taken, genre, locale, choices))
        if str(value) not in taken:
            return value
    return values[name]


def _mailbox(address: str, choices: Choices) -> str:
    return f"{choices.choice(MAILBOXES)}@{address.partition('@')[2]}"
