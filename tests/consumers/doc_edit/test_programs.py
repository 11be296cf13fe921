"""verifiers' own programs on the installed package: vf-validate, vf-eval against a scripted endpoint, vf-replay."""

from __future__ import annotations

import json

import pytest

from .endpoint import serve

pytestmark = pytest.mark.consumers

CHOSEN = ["num-examples 2", "seed conformance", "levels file"]


def knobs(prefix):
    """The plan's tasks, as settings of a program."""
    return [word for pair in CHOSEN for word in (f"--{prefix}.{pair.split()[0]}", pair.split()[1])]


def rewards_in(run_folder):
    """The reward of every trace that a run saved."""
    lines = (run_folder / "traces.jsonl").read_text("utf-8").splitlines()
    traces = [trace for line in lines for trace in json.loads(line)["traces"]]
    return [trace["rewards"]["consistency_reward"]["score"] for trace in traces]


def test_validate_finds_gold_and_noop_as_they_must_be(program, run, tmp_path):
    line = [program("doc-edit", "vf-validate"), "doc-edit", "--runtime.type", "subprocess", "--no-rich"]
    run(*line, *knobs("taskset"))
    (summary,) = tmp_path.glob("outputs/*/summary.json")
    checks = json.loads(summary.read_text("utf-8"))["checks"]
    assert checks["gold"]["valid"] == checks["noop"]["valid"] == 2


def test_eval_pays_a_scripted_model_and_replay_pays_it_again(plan, program, run, tmp_path):
    with serve({entry["prompt"]: entry["scripts"] for entry in plan.entries}) as url:
        line = [
            program("doc-edit", "vf-eval"),
            "doc-edit",
            "-m",
            "oracle",
            "-n",
            "2",
            "-r",
            "2",
            "--no-push",
            "--no-rich",
        ]
        line += ["--client.base-url", url, "--client.api-key-var", "SCRIPTED_KEY", *knobs("env.taskset")]
        run(*line, SCRIPTED_KEY="none")
    (folder,) = tmp_path.glob("outputs/*")
    assert rewards_in(folder) == [1.0] * 4
    run(program("doc-edit", "vf-replay"), folder, "--output-dir", "replayed", "--no-rich")
    assert rewards_in(tmp_path / "replayed") == [1.0] * 4
