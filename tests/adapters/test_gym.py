"""Gymnasium makes the environment, its own checker passes, and an episode can be played with it."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
import sys
import warnings

import pytest

gymnasium = pytest.importorskip("gymnasium", reason="Gymnasium is not installed here: make setup")

from gymnasium.error import ResetNeeded  # noqa: E402 - where there is Gymnasium
from gymnasium.utils.env_checker import check_env  # noqa: E402

from lattice_env.errors import EpisodeError, UsageError  # noqa: E402

ID = "lattice_env.adapters.gym:Lattice-v0"


@pytest.fixture
def make(tmp_path):
    """A function: an environment of tasks."""
    made = []

    def env(tasks, **settings):
        made.append(gymnasium.make(ID, tasks=tasks, episodes=tmp_path / "episodes", **settings))
        return made[-1]

    yield env
    for one in made:
        one.close()


@pytest.mark.parametrize("family", [pytest.param("paper", marks=pytest.mark.tex), "document", "ocr"])
def test_gymnasiums_own_checker_passes_without_a_warning(make, each_task, family):
    env = make(each_task[family])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)


def solution(env):
    return [json.dumps({"type": a.name, **a.arguments}) for a in env.unwrapped._host.episode.session.solution()]  # noqa: SLF001 - the oracle's way


@pytest.mark.parametrize("family", [pytest.param("paper", marks=pytest.mark.tex), "document", "ocr"])
def test_the_solution_earns_1(make, each_task, family):
    env = make(each_task[family])
    text, info = env.reset(seed=1)
    assert text
    assert info["tools"]
    assert ("picture" in info) == (family == "ocr")
    for action in solution(env):
        _, reward, terminated, truncated, info = env.step(action)
    assert (reward, terminated, truncated, info["verdict"]["status"]) == (1.0, True, False, "scored")
    with pytest.raises(ResetNeeded):
        env.step(action)


def test_what_is_no_action_is_answered_and_costs_nothing(make, document_task):
    env = make(document_task)
    env.reset(seed=1)
    for text in ("", "no JSON", "[]", '"submit"', "{}", '{"type": 1}', "\ud800"):
        said, reward, terminated, truncated, info = env.step(text)
        assert (reward, terminated, truncated) == (0.0, False, False)
        assert said.startswith(info["error"])
    _, _, _, _, info = env.step('{"type": "read_page", "page": 1}')
    assert info["public"]["step"] == 1


def test_a_seed_chooses_the_task(make, document_task, picture_task, tmp_path):
    for task in (document_task, picture_task):
        shutil.copytree(task, tmp_path / "tasks" / task.name)
    env = make(tmp_path / "tasks")
    names = [env.reset(seed=seed)[1]["public"]["task"] for seed in (1, 2, 3, 4, 5, 6, 1)]
    assert names[0] == names[-1]
    assert set(names) == {document_task.name, picture_task.name}
    assert env.reset(options={"task": picture_task})[1]["public"]["task"] == picture_task.name


def test_a_reset_in_the_middle_closes_the_record(make, document_task, tmp_path):
    env = make(document_task)
    env.reset(seed=1)
    env.reset(seed=1)
    env.close()
    lines = (tmp_path / "episodes" / "episodes.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["reason"] for line in lines] == ["reset by the client", "closed by the client"]


def test_a_program_that_ends_without_closing_leaves_a_closed_record(document_task, tmp_path):
    program = (
        f"import gymnasium; gymnasium.make({ID!r}, tasks={str(document_task)!r}, episodes={str(tmp_path)!r}).reset()"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)
    (record,) = [json.loads(line) for line in (tmp_path / "episodes.jsonl").read_text("utf-8").splitlines()]
    assert (record["status"], record["reason"]) == ("error", "the client went away")


def test_a_verdict_that_could_not_be_reached_is_nan_and_not_0(make, document_task, tmp_path):
    spoilt = tmp_path / "spoilt" / document_task.name
    shutil.copytree(document_task, spoilt)
    env = make(spoilt)
    env.reset(seed=1)
    (spoilt / "tests" / "lattice_verifier" / "judge.py").write_text("raise SystemExit(3)", "utf-8")
    _, reward, terminated, _, info = env.step('{"type": "submit"}')
    assert math.isnan(reward)
    assert terminated
    assert info["verdict"]["status"] == "infra_error"


def test_tasks_that_are_not_there_are_errors(make, document_task, tmp_path):
    with pytest.raises(UsageError, match="holds no task"):
        make(tmp_path)
    with pytest.raises(EpisodeError, match="unknown-task"):
        make(document_task).reset(options={"task": tmp_path})
