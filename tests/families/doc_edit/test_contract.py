"""Both families of doc-edit keep the contract, without TeX."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lattice_env.families.doc_edit import FAMILIES
from lattice_env.seeds.documents import load_genre
from lattice_env.testing import ContractError, check_family
from lattice_env.verifier.verdict import SCORED, GateResult, Verdict

ORDER = load_genre("purchase-order")


@pytest.mark.parametrize("name", FAMILIES)
def test_a_family_keeps_the_contract(name, tmp_path):
    task = check_family(FAMILIES[name], ORDER, "contract", tmp_path)
    assert task.family == name


def test_a_family_that_pays_for_anything_breaks_it(tmp_path):
    def pay(spec, files):
        return Verdict(SCORED, 1.0, (GateResult("import", "passed"),), components={"site_recall": 1.0})

    with pytest.raises(ContractError, match="start must be judged and rejected"):
        check_family(replace(FAMILIES["reference-and-update"], verify=pay), ORDER, "contract", tmp_path)
