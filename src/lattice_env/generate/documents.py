"""Plans of doc-edit: recipes in turn over families, levels, genres and locales."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice

from lattice_env.errors import UnprovedError
from lattice_env.families.doc_edit.make import make_task
from lattice_env.families.doc_edit.recipe import Knobs, Recipe, recipes
from lattice_env.packages.served import SERVED, behind_server
from lattice_env.seeds.documents import load_genre, load_locale
from lattice_env.verifier.judge import verifier_digest
from lattice_env.verifier.store import Store

from .maker import Product, Unit
from .plan import Plan


@dataclass(frozen=True)
class DocumentMaker:
    """Makes tasks of doc-edit."""

    knobs: Knobs
    needs_tex: bool = False
    served: bool = False
    """Whether the document stands behind a server."""

    def check(self, seed: str, _store: Store) -> None:
        """Load a genre whole; SeedError where it is not."""
        load_genre(seed)

    def make(self, unit: Unit, _store: Store) -> Product:
        """The task of the recipe with a unit's number, or none where nothing can be proved."""
        try:
            made = make_task(_recipes(self.knobs)[unit.number - 1])
        except UnprovedError as error:
            return Product(None, error.tried, error.tried)
        task = behind_server(made.task) if self.served else made.task
        return Product(task, len(made.task.spec.sites), made.tried)


@cache
def _recipes(knobs: Knobs) -> Sequence[Recipe]:
    """The recipes of a run, by number."""
    return tuple(islice(recipes(knobs), knobs.num_examples))


def make_document_plan(knobs: Knobs, *, served: bool = False) -> Plan:
    """The plan of `num_examples` tasks; UsageError for a knob that is not what it must be.

    `served`: their documents stand behind servers, where agents reach them by the four tools alone.
    """
    chosen = _recipes(knobs)
    units = tuple(Unit(item.genre, f"{item.family}/{item.level}", number) for number, item in enumerate(chosen, 1))
    words = [verifier_digest(), *([SERVED] if served else []), *(item.key for item in chosen)]
    words += [load_genre(name).digest for name in sorted({item.genre for item in chosen})]
    words += [repr(load_locale(name)) for name in sorted({item.locale for item in chosen})]
    digest = hashlib.sha256("\0".join(words).encode("utf-8", "surrogateescape")).hexdigest()
    return Plan(units, DocumentMaker(knobs, served=served), None, digest)
