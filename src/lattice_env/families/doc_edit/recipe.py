"""Recipes: a few words that a task is made from, and made from again; what is saved in place of its pages."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, cast

from lattice_env.errors import RecipeError, UsageError
from lattice_env.keys import Choices
from lattice_env.seeds.documents import genre_names, locale_names
from lattice_env.seeds.documents.genre import POOLS
from lattice_env.verifier.edit_spec import FAMILIES

from .levels import LEVELS, Level

VERSION = 1
TEMPLATES = {"seed": ("seed",), "all": POOLS}
"""Which pools of templates a document may be made from."""
MOST_SECTIONS, MOST_TURNS = 400, 10_000


@dataclass(frozen=True)
class Recipe:
    """All that a task depends on, beside the version and the data of its genre and locale."""

    family: str
    genre: str
    locale: str
    level: str
    fillers: int
    appendices: int
    max_turns: int
    templates: str
    salt: str
    number: int
    """Which of the tasks that are alike in all else."""

    @property
    def key(self) -> str:
        """The word that every choice is keyed by."""
        return json.dumps(asdict(self), sort_keys=True)

    @property
    def rung(self) -> Level:
        """The level."""
        return LEVELS[self.level]

    @property
    def pools(self) -> Sequence[str]:
        """The pools of templates."""
        return TEMPLATES[self.templates]


@dataclass(frozen=True)
class Knobs:
    """What a run of tasks is asked to be; None leaves a length or the turns to the level."""

    num_examples: int = 20
    seed: int | str = 0
    families: tuple[str, ...] = FAMILIES
    genres: tuple[str, ...] = ()
    """All that there are where it is empty; so with `locales` and `levels`."""
    locales: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()
    n_fillers: int | None = None
    n_appendices: int | None = None
    max_turns: int | None = None
    templates: str = "seed"


def check_knobs(knobs: Knobs) -> None:
    """UsageError for the first knob that is not what it must be."""
    named = {
        "family": (knobs.families, FAMILIES),
        "genre": (knobs.genres, genre_names()),
        "locale": (knobs.locales, locale_names()),
        "level": (knobs.levels, tuple(LEVELS)),
        "pool of templates": ((knobs.templates,), tuple(TEMPLATES)),
    }
    for kind, (names, known) in named.items():
        for name in names:
            if name not in known:
                message = f"no {kind} is called {name!r}"
                raise UsageError(message, hint=f"known: {', '.join(known)}")
    numbers = {
        "num_examples": (knobs.num_examples, 1, None),
        "n_fillers": (knobs.n_fillers, 0, MOST_SECTIONS),
        "n_appendices": (knobs.n_appendices, 0, MOST_SECTIONS),
        "max_turns": (knobs.max_turns, 1, MOST_TURNS),
    }
    for name, (value, low, high) in numbers.items():
        if value is None:
            continue
        if type(value) is not int or value < low or (high is not None and value > high):
            message = f"{name} must be a whole number from {low}{f' to {high}' if high else ''}, not {value!r}"
            raise UsageError(message)
    if not knobs.families:
        message = "no family is asked for"
        raise UsageError(message, hint=f"known: {', '.join(FAMILIES)}")


def recipes(knobs: Knobs) -> Iterator[Recipe]:
    """Recipes without end: families, levels, genres and locales take turns, in an order of the seed's own.

    Raises UsageError for knobs that are not what they must be.
    """
    check_knobs(knobs)
    return _recipes(knobs)


def _recipes(knobs: Knobs) -> Iterator[Recipe]:
    salt = str(knobs.seed)
    choices = Choices("recipes", salt)
    levels = [name for name in LEVELS if name in knobs.levels or not knobs.levels]
    genres = choices.shuffled(knobs.genres or genre_names())
    locales = choices.shuffled(knobs.locales or locale_names())
    rounds = 0
    while True:
        rounds += 1
        order = [(family, level, genre) for genre in genres for level in levels for family in knobs.families]
        for place, (family, level, genre) in enumerate(order):
            rung = LEVELS[level]
            yield Recipe(
                family=family,
                genre=genre,
                locale=locales[(rounds + place) % len(locales)],
                level=level,
                fillers=rung.fillers if knobs.n_fillers is None else knobs.n_fillers,
                appendices=rung.appendices if knobs.n_appendices is None else knobs.n_appendices,
                max_turns=rung.max_turns if knobs.max_turns is None else knobs.max_turns,
                templates=knobs.templates,
                salt=salt,
                number=rounds,
            )


def recipe_json(recipe: Recipe, task: str) -> str:
    """A recipe and the identity of the task that it made, to be saved."""
    return json.dumps({"format": 1, "version": VERSION, "task": task, **asdict(recipe)}, sort_keys=True)


_SHAPE: dict[str, type] = {
    "format": int,
    "version": int,
    "task": str,
    "family": str,
    "genre": str,
    "locale": str,
    "level": str,
    "fillers": int,
    "appendices": int,
    "max_turns": int,
    "templates": str,
    "salt": str,
    "number": int,
}


def read_recipe(text: str) -> tuple[Recipe, str]:
    """A saved recipe, and the identity that its task had; RecipeError for anything else, or another version's."""
    try:
        body: object = json.loads(text)
    except ValueError as error:
        message = f"a recipe is not JSON: {error}"
        raise RecipeError(message) from error
    if not isinstance(body, dict):
        message = f"a recipe is an object, not {type(body).__name__}"
        raise RecipeError(message)
    table = cast("dict[str, Any]", body)
    wrong = sorted(table.keys() ^ _SHAPE.keys())
    wrong += [name for name, kind in _SHAPE.items() if name in table and type(table[name]) is not kind]
    if wrong:
        message = f"a recipe's keys are missing, unknown or of a wrong type: {', '.join(map(str, wrong))}"
        raise RecipeError(message)
    if (table.pop("format"), table["version"]) != (1, VERSION):
        message = f"the recipe is of version {table['version']}, this is version {VERSION}"
        raise RecipeError(message, hint="use the release that it was saved with")
    del table["version"]
    task = table.pop("task")
    recipe = Recipe(**table)
    try:
        check_knobs(
            Knobs(1, recipe.salt, (recipe.family,), (recipe.genre,), (recipe.locale,), (recipe.level,),
                  recipe.fillers, recipe.appendices, recipe.max_turns, recipe.templates)
        )  # fmt: skip
    except UsageError as error:
        message = f"the recipe cannot be followed: {error}"
        raise RecipeError(message) from error
    return recipe, task
