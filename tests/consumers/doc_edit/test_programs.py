"""verifiers' own programs on the installed package: vf-validate, vf-eval against a scripted endpoint, vf-replay."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from .conftest import ROOT
from .endpoint import serve

pytestmark = pytest.mark.consumers

CHOSEN = ["num-examples 2", "seed conformance", "levels file"]


def knobs(prefix):
    """The plan's tasks, as settings of a program."""
    return [word for pair in CHOSEN for word in (f"--{prefix}.{pair.split()[0]}", pair.split()[1])]


def traces_in(run_folder):
    """Every trace that a run saved."""
    lines = (run_folder / "traces.jsonl").read_text("utf-8").splitlines()
    return [trace for line in lines for trace in json.loads(line)["traces"]]


def rewards_in(run_folder):
    """The reward of every trace that a run saved."""
    return [trace["rewards"]["consistency_reward"]["score"] for trace in traces_in(run_folder)]


def evaluate(program, url, model, settings):
    """The words of vf-eval."""
    words = ["doc-edit", "-m", model, "--no-push", "--no-rich", *settings]
    return [program("doc-edit", "vf-eval"), *words, "--client.base-url", url, "--client.api-key-var", "SCRIPTED_KEY"]


def test_validate_finds_gold_and_noop_as_they_must_be(program, run, tmp_path):
    line = [program("doc-edit", "vf-validate"), "doc-edit", "--runtime.type", "subprocess", "--no-rich"]
    run(*line, *knobs("taskset"))
    (summary,) = tmp_path.glob("outputs/*/summary.json")
    checks = json.loads(summary.read_text("utf-8"))["checks"]
    assert checks["gold"]["valid"] == checks["noop"]["valid"] == 2


def other(recipe, **changes):
    """A saved recipe with other values."""
    return json.dumps({**json.loads(recipe), **changes})


SPOILT = {
    "of another version": lambda data, info: data.update(recipe=other(data["recipe"], version=99)),
    "of another task": lambda data, info: data.update(recipe=other(data["recipe"], number=7)),
    "with a wrong digest": lambda data, info: data.update(recipe=other(data["recipe"], task="0" * 64)),
    "that is no recipe": lambda data, info: data.update(recipe="{"),
    "whose attempt has another shape": lambda data, info: info.update(doc_edit={"pages": {}, "score": 1}),
    "whose attempt has a page of its own": lambda data, info: info["doc_edit"]["pages"].update({"page-99.txt": "x"}),
    "without an attempt": lambda data, info: info.pop("doc_edit"),
}
"""What is done to saved traces: each is an error when it is scored again, and earns nothing."""


def spoil(folder, out):
    """A copy of a run with the first trace once for each way in which it can be spoilt."""
    shutil.copytree(folder, out)
    first = (folder / "traces.jsonl").read_text("utf-8").splitlines()[0]
    episodes = [json.loads(first) for _ in SPOILT]
    for episode, change in zip(episodes, SPOILT.values(), strict=True):
        (trace,) = episode["traces"]
        change(trace["task"]["data"], trace["info"])
    (out / "traces.jsonl").write_text("".join(f"{json.dumps(episode)}\n" for episode in episodes), "utf-8")
    return out


def test_eval_pays_a_scripted_model_replay_pays_it_again_and_no_trace_of_another_version(plan, program, run, tmp_path):
    with serve({entry["prompt"]: entry["scripts"] for entry in plan.entries}) as url:
        settings = ["-n", "2", "-r", "2", *knobs("env.taskset")]
        run(*evaluate(program, url, "oracle", settings), SCRIPTED_KEY="none")
    (folder,) = tmp_path.glob("outputs/*")
    assert rewards_in(folder) == [1.0] * 4
    replay = program("doc-edit", "vf-replay")
    run(replay, folder, "--output-dir", "replayed", "--no-rich")
    assert rewards_in(tmp_path / "replayed") == [1.0] * 4
    run(replay, spoil(folder, tmp_path / "spoilt"), "--output-dir", "refused", "--no-rich")
    found = traces_in(tmp_path / "refused")
    assert len(found) == len(SPOILT)
    for trace in found:
        (error,) = trace["errors"]
        assert (error["type"], "RecipeError: " in error["message"]) == ("TaskError", True), error
        assert trace["rewards"] == {"consistency_reward": None}


@pytest.fixture
def small_model(program):
    """Where a real model answers: 135 million parameters on this machine's processor."""
    script = Path(ROOT) / "tests" / "agents" / "repair" / "small_model.py"
    line = [program("small-model"), script]
    with subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        yield server.stdout.readline().decode().strip() + "/v1"
        server.stdin.close()


def test_eval_plays_a_real_model_and_replay_scores_it_alike(program, run, tmp_path, small_model):
    settings = ["-n", "1", "-r", "1", "--sampling.max-tokens", "48", "--env.taskset.seed", "small"]
    settings += ["--env.taskset.num-examples", "1", "--env.taskset.levels", "note"]
    run(*evaluate(program, small_model, "smollm2", settings), SCRIPTED_KEY="none", seconds=1800)
    (folder,) = tmp_path.glob("outputs/*")
    (trace,) = traces_in(folder)
    assert trace["errors"] == []
    assert trace["metrics"]["num_turns"] <= 16
    assert 0 <= trace["rewards"]["consistency_reward"]["score"] <= 1
    assert any(node["message"]["role"] == "assistant" for node in trace["nodes"])
    run(program("doc-edit", "vf-replay"), folder, "--output-dir", "replayed", "--no-rich", seconds=600)
    assert rewards_in(tmp_path / "replayed") == rewards_in(folder)
