"""The same scripts through every harness: the same reward, to the last bit."""

from __future__ import annotations

import json

import pytest

from .conftest import HERE

pytestmark = pytest.mark.consumers


def rewards(found):
    """Task → script → reward, of what a program printed."""
    return {task: {name: row[0] for name, row in rows.items()} for task, rows in found.items()}


def earned(plan):
    """The same in process, where the session itself was called."""
    return {entry["name"]: entry["earned"] for entry in plan.entries}


def test_scripts_earn_what_they_should(plan):
    for entry in plan.entries:
        found = entry["earned"]
        assert found["oracle"] == 1.0
        assert 0 < found["regex"] + found["top-alone"] + found["bottom-alone"] <= 3
        for name in ("nop", "blank", "every-line", "beside", "before", "loop", "clumsy"):
            assert found[name] == 0.0, name
    assert any(0 < entry["earned"][name] < 1 for entry in plan.entries for name in entry["earned"])


def test_verifiers_pays_the_same(plan, program, run):
    line = [program("doc-edit"), HERE / "run_v1.py", plan.path, plan.knobs, "process"]
    found = json.loads(run(*line).splitlines()[-1])
    assert rewards(found) == earned(plan)
    check_metrics(plan, found)


FEW = ("oracle", "beside")
MORE = pytest.param((*FEW, "nop", "direct-only", "top-alone", "every-line", "loop", "clumsy"), marks=pytest.mark.slow)


@pytest.mark.parametrize("names", [FEW, MORE])
def test_verifiers_pays_the_same_behind_its_own_servers(plan, program, run, names):
    """Each rollout starts a server of its own, which takes seconds."""
    line = [program("doc-edit"), HERE / "run_v1.py", plan.path, plan.knobs, "mcp", *names]
    found = json.loads(run(*line, seconds=3000).splitlines()[-1])
    for task, rows in earned(plan).items():
        assert rewards(found)[task] == {name: rows[name] for name in names}
    check_metrics(plan, found)


def check_metrics(plan, found):
    """What was done is counted alike: refused calls, turns, edits."""
    for entry in plan.entries:
        for name, row in found[entry["name"]].items():
            did = entry["did"][name]
            assert {key: row[1][key] for key in did} == did, name


def test_verifiers_v0_pays_the_same(plan, program, run):
    line = [program("doc-edit-v0"), HERE / "run_v0.py", plan.path, plan.knobs]
    found = json.loads(run(*line, seconds=900).splitlines()[-1])
    assert rewards(found) == earned(plan)
    for entry in plan.entries:
        for name, did in entry["did"].items():
            metrics = found[entry["name"]][name][1]
            assert {key: metrics[key] for key in did if key != "num_turns"} == {
                key: value for key, value in did.items() if key != "num_turns"
            }, name
