"""What is done to a document: one fact changed with all that follows from it, or some shown values corrupted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal

from lattice_env.keys import Choices
from lattice_env.seeds.documents.formats import FORMATS, Value, write_value
from lattice_env.seeds.documents.genre import Genre
from lattice_env.seeds.documents.locale import Locale

from .document import ECHO, Document, Layout, Mark, make_layout, render
from .draws import Values, fact_of
from .recipe import Recipe
from .values import computed, draw_values, redrawn


@dataclass(frozen=True)
class Ground:
    """A document before anything is done to it."""

    recipe: Recipe
    key: str
    genre: Genre
    locale: Locale
    values: Values
    layout: Layout
    document: Document


@dataclass(frozen=True)
class Change:
    """A document as the agent gets it and as it must become, and what tells the one from the other."""

    ground: Ground
    before: Document
    after: Document
    values: Values
    """The right values."""
    changed: str
    """The fact that changed; empty where values were corrupted."""
    operator: str
    wrong: tuple[tuple[int, int, str, str], ...] = ()
    """What was corrupted: page and line from 0, the wrong text, the right one."""


def lay_ground(recipe: Recipe, genre: Genre, locale: Locale, attempt: int) -> Ground:
    """The document of a recipe; another one for another attempt."""
    key = f"{attempt}:{recipe.key}"
    values = draw_values(genre, locale, key)
    layout = make_layout(genre, values, key, fillers=recipe.fillers, appendices=recipe.appendices, pools=recipe.pools)
    return Ground(recipe, key, genre, locale, values, layout, render(genre, locale, layout, values))


def updates(ground: Ground) -> Iterator[Change]:
    """Each fact changed that may be, and whose farthest consequence is as far as the level asks; in keyed order.

    Where the genre has no such fact, those that come nearest.
    """
    genre, low, high = ground.genre, *ground.recipe.rung.hops
    reach = {name: max(genre.distances[name].values()) for name, fact in genre.facts.items() if fact.change}
    near = min(max(far - high, low - far, 0) for far in reach.values())
    fitting = [name for name, far in reach.items() if max(far - high, low - far, 0) == near]
    choices = Choices(ground.key, "update")
    for name in choices.shuffled(fitting):
        members = [instance for instance in ground.values if fact_of(instance) == name]
        chosen = choices.choice(members)
        value = redrawn(genre, ground.locale, ground.values, chosen, ground.key)
        values = computed(genre, {**ground.values, chosen: value})
        after = render(genre, ground.locale, ground.layout, values)
        if value != ground.values[chosen]:
            yield Change(ground, ground.document, after, values, chosen, f"update:{name}")


def corruptions(ground: Ground) -> Iterator[Change]:
    """One to three shown values of formulas replaced by wrong ones, each on a line of its own; in keyed order."""
    rung = ground.recipe.rung
    choices = Choices(ground.key, "corrupt")
    places = [
        (page, line, mark)
        for page, lines in enumerate(ground.document.marks)
        for line, marks in enumerate(lines)
        for mark in marks
        if ground.genre.distances.get(fact_of(mark.fact)) is not None and _is_computed(ground.genre, mark)
    ]
    count = rung.corrupted[0] + choices.below(rung.corrupted[1] - rung.corrupted[0] + 1)
    for _ in range(3):
        chosen: dict[tuple[int, int], Mark] = {}
        echoed = [choices.below(100) < rung.echoed for _ in range(count)]
        for page, line, mark in choices.shuffled(places):
            if (mark.role == ECHO) in echoed and (page, line) not in chosen:
                echoed.remove(mark.role == ECHO)
                chosen[page, line] = mark
        yield _corrupted(ground, chosen, choices)


def _is_computed(genre: Genre, mark: Mark) -> bool:
    return genre.facts[fact_of(mark.fact)].formula is not None


def _corrupted(ground: Ground, chosen: dict[tuple[int, int], Mark], choices: Choices) -> Change:
    pages = [list(page) for page in ground.document.pages]
    wrong: list[tuple[int, int, str, str]] = []
    for (page, line), mark in sorted(chosen.items(), key=lambda item: item[0]):
        value = _wrong_value(ground, mark, choices)
        text, right = write_value(value, mark.style, ground.locale), pages[page][line][mark.start : mark.end]
        pages[page][line] = _put(pages[page][line], mark, text)
        wrong.append((page, line, text, right))
    facts = sorted({fact_of(mark.fact) for mark in chosen.values()})
    before = Document(tuple(map(tuple, pages)), ground.document.marks)
    operator = f"corrupt:{'+'.join(facts)}"
    return Change(ground, before, ground.document, ground.values, "", operator, tuple(wrong))


def _put(line: str, mark: Mark, text: str) -> str:
    """The line with another text at a mark; room is taken from the padding before it, as a table would."""
    head, tail = line[: mark.start], line[mark.end :]
    grown = len(text) - (mark.end - mark.start)
    if grown > 0 and head.endswith(" " * (grown + 1)):
        head = head[:-grown]
    elif grown < 0 and head.endswith("  "):
        head += " " * -grown
    return head + text + tail


def _wrong_value(ground: Ground, mark: Mark, choices: Choices) -> Value:
    """A plausible wrong value: a decoy's of the same type where the level asks for it, else one a little off."""
    right = ground.values[mark.fact]
    kind = ground.genre.facts[fact_of(mark.fact)].type
    if choices.below(100) < ground.recipe.rung.lookalikes:
        others = [
            value
            for name, value in ground.values.items()
            if not name.endswith("[]")
            and ground.genre.facts[fact_of(name)].decoy
            and ground.genre.facts[fact_of(name)].type == kind
            and value != right
            and _is_of_size(value, right)
        ]
        if others:
            return choices.choice(others)
    if isinstance(right, date):
        return right + timedelta(days=choices.choice((-30, -10, -3, -2, -1, 1, 2, 3, 10, 30)))
    assert isinstance(right, int | Decimal)  # noqa: S101 - a formula yields a number or a date
    share = Decimal(choices.choice((91, 95, 98, 102, 105, 109, 110))) / 100
    if isinstance(right, int):
        moved = int(right * share)
        return moved if moved != right else right + 1
    moved = (right * share).quantize(right, ROUND_HALF_UP)
    return moved if moved != right else right + Decimal(1)


def _is_of_size(value: Value, right: Value) -> bool:
    """Whether one could be taken for the other: numbers of about one size."""
    if isinstance(value, int | Decimal) and isinstance(right, int | Decimal):
        return right < 2 * value and value < 2 * right
    return True


def forms_of(ground: Ground, name: str, value: Value) -> tuple[str, ...]:
    """A value in every format of its fact's type."""
    return tuple(write_value(value, style, ground.locale) for style in formats_of(ground.genre, name))


def formats_of(genre: Genre, name: str) -> Sequence[str]:
    """The formats in which a fact may stand."""
    return FORMATS[genre.facts[fact_of(name)].type]
