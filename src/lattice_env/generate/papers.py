"""Plans of paper repair: every pair of a seed and an operator, in an order that mixes them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, zip_longest
from pathlib import Path

from lattice_env.errors import UsageError
from lattice_env.families.paper import FAMILIES
from lattice_env.families.paper.compound import FEWEST, JOINT, MOST, choose_codes, make_compound
from lattice_env.families.paper.guard import reference
from lattice_env.families.paper.make import make_task
from lattice_env.families.paper.operator import Operator, operators
from lattice_env.keys import Choices
from lattice_env.model import PaperSeed
from lattice_env.packages import Pin
from lattice_env.seeds import load_seeds
from lattice_env.verifier.judge import verifier_digest
from lattice_env.verifier.store import Store

from .maker import Product, Unit
from .plan import Plan, check_limit, check_names

COMPOUNDS = 20
"""Compounds that are planned for each family and seed."""


@dataclass(frozen=True)
class PaperMaker:
    """Makes tasks of paper repair."""

    salt: str
    seeds_dir: Path | None
    styles_dir: Path | None
    needs_tex: bool = True

    def check(self, seed: str, store: Store) -> None:
        """Build the good paper once, for all its tasks; SeedError where it does not build."""
        reference(self._seed(seed), store)

    def make(self, unit: Unit, store: Store) -> Product:
        """The task of one seed and one operator, or of several joined."""
        seed = self._seed(unit.seed)
        if JOINT in unit.operator:
            made = make_compound(seed, unit.operator, self.salt, store)
        else:
            made = make_task(seed, operators()[unit.operator], self.salt, store)
        return Product(made.task, made.sites, made.tried)

    def _seed(self, name: str) -> PaperSeed:
        return _seeds(self.seeds_dir, self.styles_dir)[name]


@cache
def _seeds(seeds_dir: Path | None, styles_dir: Path | None) -> dict[str, PaperSeed]:
    return {seed.name: seed for seed in load_seeds(seeds_dir, styles_dir)}


def make_plan(
    seeds: Sequence[PaperSeed],
    salt: str,
    *,
    seed: Iterable[str] = (),
    operator: Iterable[str] = (),
    family: Iterable[str] = (),
    limit: int | None = None,
    faults: int = 1,
    seeds_dir: Path | None = None,
    styles_dir: Path | None = None,
    pin: Pin | None = None,
) -> Plan:
    """The plan for these seeds and filters (each empty for all); UsageError for a name that is not known."""
    chosen = _chosen_seeds(seeds, tuple(seed))
    wanted = _chosen_operators(tuple(operator), tuple(family))
    check_limit(limit)
    if faults != 1 and not FEWEST <= faults <= MOST:
        message = f"--faults must be 1 to {MOST}, not {faults}"
        raise UsageError(message)
    names = [s.name for s in chosen]
    units = _mixed(names, wanted, salt) if faults == 1 else _compounds(names, wanted, faults, salt)
    words = [salt, str(limit), str(faults), verifier_digest(), *(s.digest for s in chosen), *(op.code for op in wanted)]
    words += [pin.to_json()] if pin else []
    digest = hashlib.sha256("\0".join(words).encode("utf-8", "surrogateescape")).hexdigest()
    return Plan(units, PaperMaker(salt, seeds_dir, styles_dir), limit, digest, pin)


def _chosen_seeds(seeds: Sequence[PaperSeed], names: Sequence[str]) -> list[PaperSeed]:
    check_names("seed", names, [seed.name for seed in seeds])
    for seed in seeds:
        if seed.name in names and seed.unavailable:
            message = f"seed {seed.name} {seed.unavailable}"
            raise UsageError(message)
    return [seed for seed in seeds if not seed.unavailable and (not names or seed.name in names)]


def _chosen_operators(codes: Sequence[str], families: Sequence[str]) -> list[Operator]:
    known = operators()
    check_names("operator", codes, known)
    check_names("family", families, FAMILIES)
    return [
        operator
        for operator in known.values()
        if (not codes or operator.code in codes) and (not families or operator.family in families)
    ]


def _compounds(seeds: Sequence[str], wanted: Sequence[Operator], faults: int, salt: str) -> tuple[Unit, ...]:
    """Compounds by number, then family, then seed; each pair of a seed and a set of operators once."""
    codes = {operator.code for operator in wanted}
    families = [name for name in FAMILIES if any(operator.family == name for operator in wanted)]
    units = (
        Unit(seed, choose_codes(family, seed, number, faults, salt))
        for number in range(COMPOUNDS)
        for family in families
        for seed in Choices("plan", salt, family).shuffled(seeds)
    )
    return tuple(dict.fromkeys(unit for unit in units if set(unit.operator.split(JOINT)) <= codes))


def _mixed(seeds: Sequence[str], wanted: Sequence[Operator], salt: str) -> tuple[Unit, ...]:
    """Every pair once; families take turns, and neighbours differ in seed and operator."""
    choices = Choices("plan", salt)
    by_family = [choices.shuffled([op.code for op in wanted if op.family == name]) for name in FAMILIES]
    codes = [code for code in chain.from_iterable(zip_longest(*by_family)) if code]
    names = choices.shuffled(seeds)
    return tuple(
        Unit(names[(index + turn) % len(names)], code) for turn in range(len(names)) for index, code in enumerate(codes)
    )
