"""From a recipe to a task that is proved: the oracle solves it through the tools, and thoughtless programs do not."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace

from lattice_env.errors import LatticeError, RecipeError, UnprovedError
from lattice_env.model import Task
from lattice_env.seeds.documents import load_genre, load_locale
from lattice_env.seeds.documents.genre import Genre
from lattice_env.verifier.edit_spec import Decoy, EditSpec, Shown, Site, identity
from lattice_env.verifier.judge import verifier_digest
from lattice_env.verifier.selftests import Replacement

from .baselines import BASELINES, FLOORS
from .changes import Change, Ground, corruptions, forms_of, lay_ground, updates
from .document import DECOY, Document, page_name
from .draws import fact_of
from .instruction import write_instruction, write_request
from .levels import LEVELS
from .recipe import VERSION, Recipe, read_recipe
from .selftests import make_cases, repair_of
from .session import Session

UPDATE, AUDIT = "reference-and-update", "audit-and-correct"
MOST_ATTEMPTS = 24
"""Documents that are laid out for one recipe before it is given up."""


@dataclass(frozen=True)
class Made:
    """A proved task, what was done to its document, and how many changes were tried."""

    task: Task[EditSpec]
    change: Change
    tried: int


def make_task(recipe: Recipe) -> Made:
    """The task of a recipe: the first change that is proved. UnprovedError where there is none."""
    genre, locale = load_genre(recipe.genre), load_locale(recipe.locale)
    tried = 0
    for attempt in range(MOST_ATTEMPTS):
        ground = lay_ground(recipe, genre, locale, attempt)
        for change in updates(ground) if recipe.family == UPDATE else corruptions(ground):
            tried += 1
            spec = spec_of(change)
            if spec.sites and is_proved(spec, change):
                return Made(_task(spec, genre), change, tried)
    message = f"genre {recipe.genre}: no {recipe.family} of level {recipe.level} is proved in {tried} tries"
    raise UnprovedError(message, hint="more turns, more sections, or another level", tried=tried)


def remake_task(text: str) -> Made:
    """The task of a saved recipe; RecipeError where it is not the task that was saved."""
    recipe, task = read_recipe(text)
    made = make_task(recipe)
    if made.task.spec.task != task:
        message = f"the recipe makes {made.task.spec.task[:12]} here, not {task[:12]}"
        raise RecipeError(message, hint="its digest is wrong, or it was saved with other genres or another version")
    return made


def is_proved(spec: EditSpec, change: Change) -> bool:
    """Whether the oracle earns 1 through the tools within the turns, nop nothing, no baseline more than its floor."""
    if play("oracle", spec, change) != 1 or play("nop", spec, change) != 0:
        return False
    return all((play(name, spec, change) or 0) <= floors[change.ground.recipe.level] for name, floors in FLOORS.items())


def play(name: str, spec: EditSpec, change: Change) -> float:
    """What a baseline earns on a task; the oracle nothing where it did not come to its submission.

    Raises LatticeError where the verifier could not judge, which only a bug of ours can make.
    """
    session = Session(spec)
    BASELINES[name](session, change)
    if name == "oracle" and not session.submitted:
        return 0.0
    verdict = session.verdict()
    if verdict.reward is None:
        message = f"doc-edit could not be judged: {verdict.facts.get('error')}"
        raise LatticeError(message)
    return verdict.reward


def spec_of(change: Change) -> EditSpec:
    """The verifier's private spec of a change."""
    ground = change.ground
    recipe = ground.recipe
    initial, original = change.before.files(), change.after.files()
    spec = EditSpec(
        task="",
        family=recipe.family,
        version=VERSION,
        genre=recipe.genre,
        locale=recipe.locale,
        level=recipe.level,
        operator=change.operator,
        request=write_request(change),
        max_turns=recipe.max_turns,
        editable=tuple(initial),
        files={path: hashlib.sha256(data).hexdigest() for path, data in initial.items()},
        sites=tuple(_sites(change)),
        decoys=tuple(_decoys(change.after)),
        verifier=verifier_digest(),
        initial=initial,
        original=original,
    )
    return replace(spec, task=identity(spec))


def _sites(change: Change) -> Iterator[Site]:
    """The lines in which the two renders differ."""
    before, after = change.before, change.after
    for page, (old, new) in enumerate(zip(before.pages, after.pages, strict=True)):
        for line, (was, becomes) in enumerate(zip(old, new, strict=True)):
            if was != becomes:
                yield Site(page_name(page + 1), line + 1, tuple(_shown(change, page, line)))


def _shown(change: Change, page: int, line: int) -> Iterator[Shown]:
    """The values on a line that are not yet right."""
    ground = change.ground
    wrong = {right for at, row, _, right in change.wrong if (at, row) == (page, line)}
    for mark in change.after.marks[page][line]:
        text = change.after.pages[page][line][mark.start : mark.end]
        if fact_of(mark.fact) not in ground.genre.facts:
            continue
        stale = text in wrong if change.wrong else change.values[mark.fact] != ground.values[mark.fact]
        if stale:
            forms = forms_of(ground, mark.fact, change.values[mark.fact])
            yield Shown(mark.fact, mark.style, _hop(ground, change.changed, mark.fact, mark.depth), mark.role, forms)


def _hop(ground: Ground, changed: str, fact: str, depth: int) -> int:
    """How far a fact lies from the one that changed, or from what is drawn."""
    return ground.genre.distances[fact_of(changed)][fact_of(fact)] if changed else depth


def _decoys(document: Document) -> Iterator[Decoy]:
    for number, (lines, marks) in enumerate(zip(document.pages, document.marks, strict=True), 1):
        for line, (text, shown) in enumerate(zip(lines, marks, strict=True), 1):
            for mark in shown:
                if mark.role == DECOY:
                    yield Decoy(page_name(number), line, mark.fact, text[mark.start : mark.end])


def _task(spec: EditSpec, genre: Genre) -> Task[EditSpec]:
    repair: tuple[Replacement, ...] = repair_of(spec)
    task = Task(
        family=spec.family,
        version=VERSION,
        seed=spec.genre,
        operator=spec.operator,
        category=spec.level,
        tier=list(LEVELS).index(spec.level) + 1,
        licence=genre.licence,
        redistributable=genre.redistributable,
        instruction=write_instruction(spec.request, len(spec.editable)),
        start=spec.initial,
        solution=spec.original,
        repair=repair,
        spec=spec,
        cases=(),
        diagnostic=f"{len(spec.sites)} lines on {len({site.page for site in spec.sites})} pages have to change",
        medium="text",
    )
    return replace(task, cases=make_cases(task))
