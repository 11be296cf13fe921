"""What is to be made: units of one seed and one operator, in an order that mixes them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from pathlib import Path

from lattice_env.errors import UsageError
from lattice_env.families.paper import FAMILIES
from lattice_env.families.paper.compound import FEWEST, JOINT, MOST, choose_codes
from lattice_env.families.paper.operator import Operator, operators
from lattice_env.keys import Choices
from lattice_env.model import Seed
from lattice_env.packages import Pin
from lattice_env.verifier.judge import verifier_digest

COMPOUNDS = 20
"""Compounds that are planned for each family and seed."""


@dataclass(frozen=True)
class Unit:
    """One seed and one operator, or several joined: at most one task."""

    seed: str
    operator: str


@dataclass(frozen=True)
class Plan:
    """All that decides what a run of `generate` makes."""

    units: tuple[Unit, ...]
    salt: str
    limit: int | None
    """Most tasks to admit; None for all."""
    seeds_dir: Path | None
    styles_dir: Path | None
    digest: str
    """SHA-256 over everything that the output depends on: two runs with one digest make the same bytes."""
    pin: Pin | None = None
    """The toolchain that the tasks are for; None for any."""


def make_plan(
    seeds: Sequence[Seed],
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
    if limit is not None and limit < 1:
        message = f"--limit must be at least 1, not {limit}"
        raise UsageError(message)
    if faults != 1 and not FEWEST <= faults <= MOST:
        message = f"--faults must be 1 to {MOST}, not {faults}"
        raise UsageError(message)
    names = [s.name for s in chosen]
    units = _mixed(names, wanted, salt) if faults == 1 else _compounds(names, wanted, faults, salt)
    words = [salt, str(limit), str(faults), verifier_digest(), *(s.digest for s in chosen), *(op.code for op in wanted)]
    words += [pin.to_json()] if pin else []
    digest = hashlib.sha256("\0".join(words).encode("utf-8", "surrogateescape")).hexdigest()
    return Plan(units, salt, limit, seeds_dir, styles_dir, digest, pin)


def _chosen_seeds(seeds: Sequence[Seed], names: Sequence[str]) -> list[Seed]:
    _check_names("seed", names, [seed.name for seed in seeds])
    for seed in seeds:
        if seed.name in names and seed.unavailable:
            message = f"seed {seed.name} {seed.unavailable}"
            raise UsageError(message)
    return [seed for seed in seeds if not seed.unavailable and (not names or seed.name in names)]


def _chosen_operators(codes: Sequence[str], families: Sequence[str]) -> list[Operator]:
    known = operators()
    _check_names("operator", codes, known)
    _check_names("family", families, FAMILIES)
    return [
        operator
        for operator in known.values()
        if (not codes or operator.code in codes) and (not families or operator.family in families)
    ]


def _check_names(kind: str, names: Iterable[str], known: Iterable[str]) -> None:
    listed = list(known)
    for name in names:
        if name not in listed:
            message = f"no {kind} is called {name!r}"
            raise UsageError(message, hint=f"known: {', '.join(listed)}")


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
