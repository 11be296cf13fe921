"""A worker on a machine that cannot judge: it tries again, for the machine may have been busy, and then says so."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from lattice_env.errors import LatticeError, SeedError
from lattice_env.generate.maker import Product, Unit
from lattice_env.generate.worker import MOST_TRIES, check_seed, run_unit
from lattice_env.verifier.verdict import InfraError


@dataclass
class BusyMaker:
    """Finds no place, once the machine has been too busy so many times."""

    busy: int
    tried: list[str] = field(default_factory=list)
    needs_tex: bool = False

    def check(self, seed, _store):
        self.wait(seed)

    def make(self, unit, _store):
        self.wait(unit.operator)
        return Product(None, 0, 0)

    def wait(self, name):
        self.tried.append(name)
        if len(self.tried) <= self.busy:
            raise InfraError("this machine is too busy")


def test_a_machine_that_is_too_busy_for_a_moment_costs_no_run():
    for work, word in ((check_seed, "otter"), (run_unit, Unit("otter", "TEX"))):
        maker = BusyMaker(MOST_TRIES - 1)
        assert work(maker, word, None)
        assert len(maker.tried) == MOST_TRIES


def test_a_machine_that_is_too_busy_again_and_again_is_an_error_that_names_it():
    for work, word in ((check_seed, "otter"), (run_unit, Unit("otter", "TEX"))):
        maker = BusyMaker(MOST_TRIES)
        with pytest.raises(LatticeError, match="this machine cannot judge: this machine is too busy"):
            work(maker, word, None)
        assert len(maker.tried) == MOST_TRIES


def test_a_seed_that_is_bad_is_not_tried_again():
    maker = BusyMaker(0)

    def complain(seed, _store):
        maker.tried.append(seed)
        raise SeedError("does not build")

    maker.check = complain
    with pytest.raises(SeedError):
        check_seed(maker, "otter", None)
    assert maker.tried == ["otter"]
