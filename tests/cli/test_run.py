"""`run` and `env` from outside: what they print, where, and how they end."""

from __future__ import annotations

import json

import pytest


def test_a_run_tells_each_episode_and_ends_with_a_summary(cli, document_task, tmp_path):
    done = cli("run", document_task, "--agent", "oracle", "-k", "2", "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("2 episodes (2 scored), mean reward 1.000; records in ")
    assert "[2/2] " in done.stderr
    assert "reward 1" in done.stderr


def test_a_folder_of_tasks_is_played_whole_and_told_as_json(cli, document_task, tmp_path):
    done = cli("run", document_task.parent, "--jobs", "2", "--out", tmp_path / "out", "--json")
    assert done.returncode == 0, done.stderr
    (row,) = json.loads(done.stdout)
    assert (row["status"], row["reward"], row["steps"], row["attempt"]) == ("rejected", 0.0, 1, 1)
    calibrated = cli("calibrate", tmp_path / "out", "--tasks", document_task.parent, "--expect-reward", "0")
    assert calibrated.returncode == 0, calibrated.stderr


def test_an_episode_without_a_verdict_is_exit_code_1(cli, document_task, tmp_path):
    words = ["--agent", "llm", "--base-url", "http://127.0.0.1:1/v1", "--model", "none"]
    done = cli("run", document_task, *words, "--out", tmp_path / "out")
    assert done.returncode == 1
    assert "1 error" in done.stdout
    assert "unreachable" in done.stderr


@pytest.mark.parametrize(
    "words", [["run", "TASK"], ["run", "/nowhere", "--out", "x"], ["run", "TASK", "--out", "x", "-k", "0"], ["env"]]
)
def test_what_cannot_be_run_is_an_error_of_usage(cli, document_task, words):
    done = cli(*(str(document_task) if word == "TASK" else word for word in words))
    assert (done.returncode, done.stdout) == (2, "")
    assert "hint:" in done.stderr


def test_a_model_without_an_address_is_an_error_of_usage(cli, document_task, tmp_path):
    done = cli("run", document_task, "--agent", "llm", "--out", tmp_path)
    assert done.returncode == 2
    assert "--base-url" in done.stderr


def test_the_schema_is_printed_as_it_is_published(cli):
    done = cli("env", "--schema")
    assert json.loads(done.stdout)["title"].endswith("version 1")


def test_a_replay_that_differs_is_exit_code_1(cli, document_task, tmp_path):
    cli("run", document_task, "--agent", "oracle", "--out", tmp_path)
    (transcript,) = tmp_path.glob("*/transcript.jsonl")
    same = cli("env", "--replay", transcript)
    assert (same.returncode, same.stdout.partition(":")[0]) == (0, "the same"), same.stderr
    transcript.write_text(transcript.read_text("utf-8").replace("Replaced on", "Put on"), "utf-8")
    other = cli("env", "--replay", transcript)
    assert other.returncode == 1
    assert "differs in obs.private.text" in other.stdout
