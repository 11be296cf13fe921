"""Plans of LaTeX OCR: one task to each formula of a data set."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from lattice_env.families.latex_ocr.make import OPERATOR, PrintedFormula, load_formulas, make_task
from lattice_env.families.latex_ocr.settings import BUILTIN
from lattice_env.keys import Choices
from lattice_env.verifier.judge import verifier_digest
from lattice_env.verifier.store import Store

from .maker import Product, Unit
from .plan import Plan, check_limit, check_names


@dataclass(frozen=True)
class FormulaMaker:
    """Makes tasks of LaTeX OCR."""

    dataset: str
    needs_tex: bool = False

    def check(self, seed: str, _store: Store) -> None:
        """Nothing: a row that is not whole was refused when the plan was made."""

    def make(self, unit: Unit, _store: Store) -> Product:
        """The task of a formula."""
        return Product(make_task(_formulas(self.dataset)[unit.seed]), 1, 1)


@cache
def _formulas(dataset: str) -> Mapping[str, PrintedFormula]:
    return {formula.name: formula for formula in load_formulas(dataset)}


def make_formula_plan(salt: str, *, dataset: str = BUILTIN, seed: Sequence[str] = (), limit: int | None = None) -> Plan:
    """The plan of a data set's tasks, in an order that `salt` decides; UsageError for a seed that it lacks."""
    formulas = _formulas(dataset)
    check_limit(limit)
    check_names("seed", seed, formulas)
    names = Choices("latex-ocr", "plan", salt).shuffled(sorted(set(seed) or formulas))
    words = [verifier_digest(), salt, str(limit), *names, *(formulas[name].digest for name in names)]
    digest = hashlib.sha256("\0".join(words).encode("utf-8", "surrogateescape")).hexdigest()
    return Plan(tuple(Unit(name, OPERATOR) for name in names), FormulaMaker(dataset), limit, digest)
