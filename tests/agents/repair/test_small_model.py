"""The policy llm with a real model: 135 million parameters on this machine's processor, a few tokens a second.

It hardly ever repairs anything. What is tested is that a run with it ends within its bounds, claims nothing that is
not so, and can be checked without it. `scripts/consumers small-model` makes its environment.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from lattice_env.agents.repair import Limits, chain
from lattice_env.agents.repair.check import check_run
from lattice_env.agents.repair.llm import LlmLimits, llm
from lattice_env.agents.repair.rules import rules

from .conftest import paper, trace_of

PYTHON = Path(__file__).parents[3] / ".consumers" / "small-model" / "bin" / "python"
BOUNDS = LlmLimits(calls=4, calls_each=2, tokens=8_000, seconds=550.0, call_seconds=500.0, answer_tokens=32)

pytestmark = [
    pytest.mark.tex,
    pytest.mark.slow,
    pytest.mark.skipif(not PYTHON.exists() and os.environ.get("CI") != "true", reason="no .consumers/small-model"),
]


@pytest.fixture(scope="module")
def address():
    """Where the model is asked."""
    script = Path(__file__).with_name("small_model.py")
    line = [PYTHON, script]
    with subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        yield server.stdout.readline().decode().strip() + "/v1"
        server.stdin.close()


def test_a_run_with_a_real_model_ends_within_its_bounds_and_replays(project, run, address):
    text = paper("The \\zzzword{cat} sat.")
    folder = project({"a.tex": text})
    policy = llm(address, "smollm2", limits=BOUNDS)
    result, evidence = run(folder, policy=policy, spent=policy.spent, limits=Limits(edits=2))
    (asked, *_) = [line for line in trace_of(evidence) if line["event"] in ("edit", "give-up", "refused")]
    assert "the endpoint failed" not in str(asked.get("reason", ""))
    assert policy.tokens > 0
    assert policy.calls <= BOUNDS.calls
    assert result.edits <= 2
    assert result.status in ("success", "unresolved")
    assert (result.status == "success") == bool(result.pdf)
    if result.edits == 0:
        assert (folder / "a.tex").read_text("utf-8") == text
    assert check_run(evidence).faults == ()


def test_rules_settle_what_they_can_before_the_model_is_asked(project, run, address):
    policy = llm(address, "smollm2", limits=BOUNDS)
    result, evidence = run(project({"a.tex": paper("\\emhp{a}")}), policy=chain([rules, policy]), spent=policy.spent)
    assert (result.status, policy.calls) == ("success", 0)
    assert check_run(evidence).faults == ()
