"""A verdict that cannot be cannot be made; one that can be is written the same way every time."""

import json
import math

import pytest

from lattice_env.verifier.verdict import (
    FAILED,
    INFRA_ERROR,
    PASSED,
    REJECTED,
    SCORED,
    SKIPPED,
    Finding,
    GateResult,
    Verdict,
)

GOOD = (GateResult("import", PASSED), GateResult("build", PASSED))
BAD = (GateResult("import", PASSED), GateResult("root", FAILED, (Finding("root", "main.tex", 3, "no class"),)))
LINE = (Finding("delete", "main.tex", 7, "gone"),)
PARTS = {"restoration": 1.0, "editTerm": 0.5}


@pytest.mark.parametrize(
    ("status", "reward", "gates", "lines", "parts"),
    [
        pytest.param(SCORED, 0.5, BAD, (), PARTS, id="scored though a gate failed"),
        pytest.param(SCORED, 0.5, GOOD, LINE, PARTS, id="scored though a red line was crossed"),
        pytest.param(SCORED, 0.5, (), (), PARTS, id="scored without gates"),
        pytest.param(SCORED, 0.5, GOOD, (), {}, id="scored without a grade"),
        pytest.param(SCORED, None, GOOD, (), PARTS, id="scored without a reward"),
        pytest.param(SCORED, 1.1, GOOD, (), PARTS, id="scored above 1"),
        pytest.param(SCORED, -0.1, GOOD, (), PARTS, id="scored below 0"),
        pytest.param(SCORED, math.nan, GOOD, (), PARTS, id="scored with no number"),
        pytest.param(SCORED, math.inf, GOOD, (), PARTS, id="scored without bound"),
        pytest.param(REJECTED, 0.1, BAD, (), {}, id="rejected and paid"),
        pytest.param(REJECTED, None, BAD, (), {}, id="rejected without the 0"),
        pytest.param(REJECTED, 0.0, GOOD, (), {}, id="rejected without a reason"),
        pytest.param(INFRA_ERROR, 0.0, (), (), {}, id="infra_error with a 0"),
        pytest.param("fine", 1.0, GOOD, (), PARTS, id="a status that is none"),
    ],
)
def test_an_impossible_verdict_is_an_error(status, reward, gates, lines, parts):
    with pytest.raises(ValueError, match="verdict"):
        Verdict(status, reward, gates, lines, parts)


def test_codes_are_the_red_lines_and_the_failed_gates():
    gates = (*BAD, GateResult("build", SKIPPED))
    assert Verdict(REJECTED, 0.0, gates, LINE).codes() == {"root", "delete"}
    assert Verdict(SCORED, 1.0, GOOD, components=PARTS).codes() == frozenset()


def test_the_json_is_canonical():
    text = Verdict(SCORED, 0.5, GOOD, components=PARTS, facts={"task": "tiny"}).to_json()
    assert text == json.dumps(json.loads(text), indent=1, sort_keys=True) + "\n"
    again = Verdict(SCORED, 0.5, GOOD, components=dict(reversed(PARTS.items())), facts={"task": "tiny"})
    assert again.to_json() == text


def test_the_json_names_every_reason_with_its_place():
    body = json.loads(Verdict(REJECTED, 0.0, BAD, LINE).to_json())
    assert body["redLines"] == [{"code": "delete", "file": "main.tex", "line": 7, "text": "gone"}]
    assert body["gates"][1]["reasons"] == [{"code": "root", "file": "main.tex", "line": 3, "text": "no class"}]


def test_a_fact_never_takes_the_place_of_the_reward():
    text = Verdict(REJECTED, 0.0, BAD, facts={"reward": 1.0, "status": SCORED}).to_json()
    assert (json.loads(text)["reward"], json.loads(text)["status"]) == (0.0, REJECTED)


def test_a_finding_s_text_is_cut_in_the_json():
    assert len(str(Finding("root", text="x" * 1000).to_json()["text"])) == 200


def test_names_that_are_no_utf_8_are_written_as_ascii():
    verdict = Verdict(REJECTED, 0.0, (GateResult("import", FAILED, (Finding("name", "a\udcff"),)),))
    assert verdict.to_json().isascii()


def test_the_reward_json_is_flat_and_finite():
    body = json.loads(Verdict(SCORED, 0.5, GOOD, components=PARTS, facts={"task": "t"}).reward_json())
    assert body == {"reward": 0.5, "restoration": 1.0, "editTerm": 0.5}
    assert all(type(value) is float and math.isfinite(value) for value in body.values())
    assert json.loads(Verdict(REJECTED, 0.0, BAD).reward_json()) == {"reward": 0.0}


def test_a_component_that_is_no_number_is_never_written():
    verdict = Verdict(SCORED, 0.5, GOOD, components={"similarity": math.nan})
    with pytest.raises(ValueError, match="JSON"):
        verdict.reward_json()


def test_the_details_are_the_tree_that_harbor_s_viewer_draws():
    gates = (*BAD, GateResult("build", SKIPPED))
    tree = json.loads(Verdict(REJECTED, 0.0, gates, LINE).details_json())
    assert {name: (group["kind"], group["score"]) for name, group in tree.items()} == {
        "gates": ("programmatic", 0.0),
        "red lines": ("programmatic", 0.0),
        "grade": ("programmatic", 0.0),
    }
    assert [(item["name"], item["value"], item["raw"]) for item in tree["gates"]["criteria"]] == [
        ("import", 1.0, PASSED),
        ("root", 0.0, FAILED),
        ("build", 0.0, SKIPPED),
    ]
    assert tree["gates"]["criteria"][1]["reasoning"] == "main.tex:3 root no class"
    assert tree["gates"]["criteria"][2]["error"] == "an earlier gate failed"
    assert tree["red lines"]["criteria"] == [
        {"name": "delete", "value": 0.0, "weight": 1.0, "raw": "delete", "reasoning": "main.tex:7 delete gone"}
    ]


def test_the_details_of_a_score_hold_its_components():
    tree = json.loads(Verdict(SCORED, 0.5, GOOD, components=PARTS).details_json())
    assert (tree["gates"]["score"], tree["red lines"]["score"], tree["grade"]["score"]) == (1.0, 1.0, 0.5)
    assert {item["name"]: item["value"] for item in tree["grade"]["criteria"]} == PARTS
