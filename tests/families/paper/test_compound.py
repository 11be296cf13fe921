"""Several faults in one paper: each is one alone, and a repair of some is paid nothing."""

import pytest

from lattice_env.families.paper.compound import JOINT, choose_codes, join, make_compound
from lattice_env.families.paper.operator import operators
from lattice_env.seeds import BUNDLED, load_seed
from lattice_env.verifier.judge import verify
from lattice_env.verifier.selftests import Case, run

TUTORIAL = load_seed(BUNDLED / "tutorial")
PAIRS = ("LAT-ESC-UND+TEX-CMD-TRP", "LAT-REF-LBC+LAT-REF-SWP", "TEX-FNT-SWP+TEX-LVL-SFT")


@pytest.mark.parametrize("family", ["build-repair", "reference-hygiene", "silent-change"])
def test_a_compound_is_of_different_operators_of_one_family_and_always_the_same(family):
    code = choose_codes(family, "tutorial", 3, 3, "salt")
    parts = code.split(JOINT)
    assert len(set(parts)) == 3
    assert {operators()[part].family for part in parts} == {family}
    assert choose_codes(family, "tutorial", 3, 3, "salt") == code
    assert choose_codes(family, "tutorial", 4, 3, "salt") != code


def test_joined_operators_declare_what_any_of_them_declares():
    joined = join([operators()[code] for code in ("LAT-ESC-UND", "TEX-CMD-TRP")])
    assert "Missing" in joined.diagnostic
    assert "Undefined control sequence" in joined.diagnostic
    assert joined.tier == 2


@pytest.mark.tex
@pytest.mark.parametrize("code", PAIRS)
def test_a_compound_pays_for_the_whole_repair_alone(code, builds):
    task = make_compound(TUTORIAL, code, "compound", builds).task
    assert task is not None
    assert len(task.repair) >= 2
    assert all(result.held for result in run(task.spec, task.start, task.cases, builds))
    for edit in task.repair:
        rest = tuple(other for other in task.repair if other != edit)
        half = Case("half", "probe", 0, 0, edits=rest)
        assert verify(task.spec, half.submission(task.start), builds).reward == 0
