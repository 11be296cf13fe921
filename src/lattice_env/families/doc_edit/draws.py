"""The samplers: how one value of one fact is drawn."""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache

from lattice_env.keys import Choices
from lattice_env.seeds.documents.facts import Fact
from lattice_env.seeds.documents.formats import Value
from lattice_env.seeds.documents.genre import Genre
from lattice_env.seeds.documents.locale import Locale

Values = Mapping[str, Value]
"""Every fact of a document: `order_total`, `item[2].qty`; `item[]` is how many items there are."""

_CENT = Decimal("0.01")
_DIGITS = "123456789"
_CAPITALS = string.ascii_uppercase.replace("O", "").replace("I", "")


@dataclass(slots=True)  # not frozen: one is made for every fact, and a frozen one costs three times as much
class Draw:
    """All that one value may depend on."""

    fact: Fact
    name: str
    values: Values
    """What was drawn and computed before."""
    taken: AbstractSet[str]
    """Texts that the document has already."""
    genre: Genre
    locale: Locale
    choices: Choices


@lru_cache(1 << 14)
def instance(name: str, index: int) -> str:
    """The name of a group's fact for one member: `item.qty`, 2 → `item[2].qty`; others stay as they are."""
    group, dot, rest = name.partition(".")
    return f"{group}[{index}].{rest}" if dot else name


def fact_of(name: str) -> str:
    """The fact that an instance is of: `item[2].qty` → `item.qty`."""
    head, _, rest = name.partition("[")
    return head + rest.partition("]")[2]


def index_of(name: str) -> int:
    """The member that an instance belongs to; 0 for a fact without a group."""
    return int(name.partition("[")[2].partition("]")[0] or 0)


def members_of(group: str, values: Values) -> range:
    """The members of a group that a document has."""
    count = values[f"{group}[]"]
    assert isinstance(count, int)  # noqa: S101 - `draw_values` puts it there
    return range(1, count + 1)


def draw(spec: Draw) -> Value:
    """One value by the fact's sampler."""
    return _SAMPLERS[spec.fact.sampler](spec)


def _choose(spec: Draw) -> Value:
    words = spec.fact.arguments["choose"]
    words = spec.genre.lists[words] if isinstance(words, str) else words
    taken = spec.taken if spec.fact.type == "text" else frozenset[str]()
    return _typed(_fresh(words, taken, spec.choices), spec.fact.type)


def _fresh(words: Sequence[str], taken: AbstractSet[str], choices: Choices) -> str:
    """One of `words`, and none that the document has already if it can be helped."""
    return choices.choice([word for word in words if word not in taken] or words)


def _typed(text: str, kind: str) -> Value:
    if kind in ("money", "rate"):
        return Decimal(text)
    return int(text) if kind == "count" else text


def _range(spec: Draw) -> Value:
    low, step, count = _steps(*spec.fact.arguments["range"], spec.fact.arguments.get("step", "1"))
    value = low + step * spec.choices.below(count)
    if spec.fact.type == "count":
        return int(value)
    return value.quantize(_CENT) if spec.fact.type == "money" else value


@lru_cache(1 << 12)
def _steps(low: str, high: str, step: str) -> tuple[Decimal, Decimal, int]:
    """Where a range begins, how far apart its values are, and how many there are."""
    first, apart = Decimal(low), Decimal(step)
    return first, apart, int((Decimal(high) - first) / apart) + 1


def _dates(spec: Draw) -> Value:
    low, high = map(date.fromisoformat, spec.fact.arguments["dates"])
    return low + timedelta(days=spec.choices.below((high - low).days + 1))


def _pattern(spec: Draw) -> Value:
    marks = {"#": _DIGITS, "@": _CAPITALS}
    return "".join(
        spec.choices.choice(marks[mark]) if mark in marks else mark for mark in spec.fact.arguments["pattern"]
    )


def _email(spec: Draw) -> Value:
    person, company = (str(spec.values[other]) for other in spec.fact.arguments["email"])
    words = [_letters(word) for word in person.split()]
    return f"{words[0]}.{words[-1]}@{_letters(company)}.{spec.locale.domain}"


def _letters(text: str) -> str:
    return "".join(mark for mark in text.lower() if mark.isalnum())


def _other(spec: Draw) -> Value:
    """The value that a decoy looks at: its own member's, or any member's where it has none."""
    name = spec.fact.arguments[spec.fact.sampler]
    group, dot, _ = name.partition(".")
    if not dot:
        return spec.values[name]
    return spec.values[instance(name, index_of(spec.name) or spec.choices.choice(members_of(group, spec.values)))]


def _near(spec: Draw) -> Value:
    """A value a little beside another: some percent, or some days earlier."""
    value = _other(spec)
    low, high = spec.fact.arguments["days" if isinstance(value, date) else "percent"]
    amount = low + spec.choices.below(high - low + 1)
    if isinstance(value, date):
        return value - timedelta(days=amount)
    assert isinstance(value, int | Decimal)  # noqa: S101 - the genre was checked when it was loaded
    share = Decimal(100 + spec.choices.choice((-1, 1)) * amount) / 100
    if isinstance(value, int):
        moved = max(1, int(value * share))
        return moved if moved != value else value + 1
    return (value * share).quantize(_CENT, ROUND_HALF_UP)


def _like(spec: Draw) -> Value:
    """A text with two of its digits other than they were."""
    marks = list(str(_other(spec)))
    for place in spec.choices.shuffled([i for i, mark in enumerate(marks) if mark.isdigit()])[:2]:
        marks[place] = spec.choices.choice([digit for digit in _DIGITS if digit != marks[place]])
    return "".join(marks)


_SAMPLERS: Mapping[str, Callable[[Draw], Value]] = {
    "const": lambda spec: _typed(spec.fact.arguments["const"], spec.fact.type),
    "choose": _choose,
    "range": _range,
    "dates": _dates,
    "pattern": _pattern,
    "locale": lambda spec: _fresh(spec.locale.words(spec.fact.arguments["locale"]), spec.taken, spec.choices),
    "email": _email,
    "index": lambda spec: index_of(spec.name),
    "same": _other,
    "near": _near,
    "like": _like,
}
