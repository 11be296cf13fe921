"""A self-test is a submission as data: edits, files put in, files taken out, and the reward it must get."""

import json

import pytest

from lattice_env.verifier.selftests import Case, Replacement, Result, cases_json, read_cases, replace
from lattice_env.verifier.spec import SpecError
from lattice_env.verifier.verdict import FAILED, INFRA_ERROR, REJECTED, Finding, GateResult, Verdict

CASE = Case(
    *("name", "cheat", 0.0, 0.0, "alias"),
    edits=(Replacement("a.tex", 0, 1, "x"),),
    added=(("b.sty", "stub"),),
    removed=("c.tex",),
)
REFUSED = Verdict(REJECTED, 0.0, (GateResult("root", FAILED),), (Finding("alias", "a.tex", 1, "x"),))


def test_edits_are_made_at_the_offsets_of_the_text_itself():
    edits = [Replacement("a", 0, 1, "long"), Replacement("a", 2, 3, ""), Replacement("a", 3, 3, "!")]
    assert replace("abcd", edits) == "longb!d"


def test_a_case_submits_the_workspace_with_what_it_does_to_it():
    workspace = {"a.tex": b"abc", "c.tex": b"gone", "d.tex": b"same"}
    assert CASE.files(workspace) == {"a.tex": b"xbc", "b.sty": b"stub", "d.tex": b"same"}
    assert workspace["a.tex"] == b"abc"


def test_an_edit_keeps_the_encoding_of_its_file():
    case = Case("latin", "twin", 1.0, 1.0, edits=(Replacement("a.tex", 0, 1, "é"),))
    assert case.files({"a.tex": b"x\xefy"}) == {"a.tex": b"\xe9\xefy"}


def test_a_case_comes_back_from_its_json(tmp_path):
    (tmp_path / "one.json").write_text(cases_json([CASE]), "utf-8")
    assert read_cases(tmp_path) == [CASE]


def test_cases_come_file_by_file_and_in_their_order(tmp_path):
    for name in ("b", "a"):
        cases = [Case(f"{name}{number}", "nop", 0.0, 0.0) for number in (2, 1)]
        (tmp_path / f"{name}.json").write_text(cases_json(cases), "utf-8")
    assert [case.name for case in read_cases(tmp_path)] == ["a2", "a1", "b2", "b1"]


@pytest.mark.parametrize("change", [{"kind": "riddle"}, {"surprise": 1}, {"edits": [{"file": "a"}]}, {"added": 3}])
def test_a_case_that_is_not_right_is_an_error(tmp_path, change):
    (tmp_path / "one.json").write_text(json.dumps([json.loads(cases_json([CASE]))[0] | change]), "utf-8")
    with pytest.raises(SpecError):
        read_cases(tmp_path)


def test_a_result_holds_where_the_reward_and_the_code_are_right():
    assert Result(CASE, REFUSED).held
    assert not Result(Case("name", "cheat", 0.0, 0.0, "hide"), REFUSED).held
    assert not Result(Case("name", "twin", 1.0, 1.0), REFUSED).held


def test_a_result_without_a_reward_never_holds():
    verdict = Verdict(INFRA_ERROR, None, facts={"error": "no TeX"})
    result = Result(Case("name", "cheat", 0.0, 1.0), verdict)
    assert not result.held
    assert result.explain() == "name: expected 0 to 1, got None (no TeX)"


def test_a_result_says_what_was_expected_and_what_came():
    assert Result(CASE, REFUSED).explain() == "name: expected 0 with alias, got 0.0 (alias, root)"


def test_a_link_may_take_the_place_of_the_only_file_of_its_folder():
    case = Case("link", "cheat", 0.0, 0.0, "import", links=(("parts/rest.tex", "/nowhere"),))
    submission = case.submission({"main.tex": b"x", "parts/rest.tex": b"y"})
    assert submission.files == {"main.tex": b"x"}
    assert [(finding.code, finding.file) for finding in submission.findings] == [("not-a-file", "parts/rest.tex")]
