"""Both families of paper repair keep the contract; the test itself notices a family that does not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lattice_env.families.paper import FAMILIES
from lattice_env.seeds import BUNDLED, load_seed
from lattice_env.testing import ContractError, check_family
from lattice_env.verifier.store import Store
from lattice_env.verifier.verdict import SCORED, GateResult, Verdict

TUTORIAL = load_seed(BUNDLED / "tutorial")


@pytest.mark.tex
@pytest.mark.parametrize("name", FAMILIES)
def test_a_family_keeps_the_contract(name, tmp_path, builds):
    task = check_family(FAMILIES[name], TUTORIAL, "contract", tmp_path, store=builds)
    assert task.family == name


@pytest.mark.tex
def test_a_family_that_pays_for_anything_breaks_it(tmp_path, builds: Store):
    def pay(spec, files):
        return Verdict(SCORED, 1.0, (GateResult("import", "passed"),), components={"pdfIdentical": 1.0})

    generous = replace(FAMILIES["build-repair"], verify=pay)
    with pytest.raises(ContractError, match="start must be judged and rejected"):
        check_family(generous, TUTORIAL, "contract", tmp_path, store=builds)


@pytest.mark.tex
def test_a_family_whose_tasks_differ_from_call_to_call_breaks_it(tmp_path, builds: Store):
    family, salts = FAMILIES["build-repair"], iter("ab")

    def make(seed, salt, store):
        return family.make(seed, next(salts), store)

    with pytest.raises(ContractError, match="must make the same task"):
        check_family(replace(family, make=make), TUTORIAL, "contract", tmp_path, store=builds)
