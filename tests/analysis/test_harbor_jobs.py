"""Job folders that are half-written, of another version, or not what they seem."""

from __future__ import annotations

import json
import math
from collections import Counter

import pytest

from lattice_env.analysis.calibration import calibrate
from lattice_env.analysis.harbor_jobs import read_trial, trial_folders
from lattice_env.analysis.inputs import read_trials
from lattice_env.analysis.task_facts import read_tasks
from lattice_env.errors import RecordError


@pytest.fixture
def repaired(job):
    """The folder of a trial that earned 1 by its own doing: mender's first on otter."""
    return next(
        path.parent
        for path in sorted(job.glob("jobs/job/*/result.json"))
        if '"mender"' in path.read_text("utf-8") and '"scored"' in (path.parent / "verifier/verdict.json").read_text()
    )


def change(path, **others):
    """Rewrite some keys of a JSON file."""
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | others), "utf-8")


@pytest.mark.parametrize("version", ["0.24", "0.25"])
def test_older_versions_write_less_and_it_comes_to_the_same(job, version):
    """What those versions' own models make of these results; 0.24 and 0.25 write neither of the three keys."""
    tasks, before = read_tasks(job / "tasks"), read_trials([job / "jobs"])
    for path in job.glob("jobs/job/*/result.json"):
        body = json.loads(path.read_text("utf-8"))
        del body["reward_valid"], body["schema_version"]
        if body["exception_info"]:
            del body["exception_info"]["policy"]
        path.write_text(json.dumps(body), "utf-8")
    assert calibrate(read_trials([job / "jobs"]), tasks) == calibrate(before, tasks)


@pytest.mark.parametrize("place", ["jobs", "jobs/job"])
def test_a_job_and_a_folder_of_jobs_are_read_alike(job, place):
    assert len(trial_folders(job / place)) == 45


def test_a_trial_by_itself_is_read(repaired):
    (trial,) = read_trials([repaired])
    assert (trial.outcome, trial.reward, trial.policy.name) == ("scored", 1, "mender lab/steady-1")


def test_a_trial_without_a_result_is_counted_as_its_agents(job, repaired):
    (repaired / "result.json").unlink()
    trials = read_trials([job / "jobs"])
    (lost,) = [trial for trial in trials if trial.outcome == "no_result"]
    assert (lost.reason, lost.policy.name) == ("no result.json", "mender lab/steady-1")
    assert lost.task in read_tasks(job / "tasks")


def test_half_a_result_is_none(repaired):
    text = (repaired / "result.json").read_text("utf-8")
    (repaired / "result.json").write_text(text[: len(text) // 2], "utf-8")
    trial = read_trial(repaired)
    assert (trial.outcome, trial.reason, trial.reward) == ("no_result", "half-written result.json", None)


@pytest.mark.parametrize(
    ("others", "said"),
    [
        ({"schema_version": 2}, "schema_version 2"),
        ({"agent_info": None}, "agent_info must be an object"),
        ({"agent_info": {"name": 7}}, "name must be text"),
        ({"task_name": ""}, "task_name must be text"),
    ],
)
def test_a_result_of_another_version_is_refused_and_named(repaired, others, said):
    change(repaired / "result.json", **others)
    with pytest.raises(RecordError, match=said) as caught:
        read_trial(repaired)
    assert str(repaired / "result.json") in str(caught.value)


def exception(kind):
    return {"exception_info": {"exception_type": kind, "exception_message": "it said so\nand more"}}


@pytest.mark.parametrize(
    ("others", "outcome", "reason"),
    [
        ({"verifier_result": {"rewards": {"reward": 7.0}}}, "suspect", "reward outside of [0, 1]"),
        ({"verifier_result": {"rewards": {"reward": 0.5}}}, "suspect", "verdict.json has another reward"),
        ({"verifier_result": {"rewards": {"reward": None}}}, "verifier_error", "no reward"),
        ({"verifier_result": {"rewards": {"reward": True}}}, "verifier_error", "no reward"),
        ({"verifier_result": {"rewards": {"reward": math.nan}}}, "verifier_error", "no reward"),
        ({"verifier_result": {"rewards": {"reward": math.inf}}}, "verifier_error", "no reward"),
        ({"verifier_result": {"rewards": {"score": 1}}}, "verifier_error", "no reward"),
        ({"verifier_result": None}, "verifier_error", "no reward"),
        ({"reward_valid": False, **exception("ApiError")}, "infra_error", "ApiError"),
        ({"verifier_result": None, **exception("ApiError")}, "infra_error", "ApiError"),
        (exception("NobodyKnowsThisError"), "suspect", "NobodyKnowsThisError"),
        (exception("NonZeroAgentExitCodeError"), "scored", ""),
        (exception("AgentTimeoutError"), "scored", ""),
        ({"exception_info": "a text"}, "scored", ""),
    ],
)
def test_what_a_trial_counts_as(repaired, others, outcome, reason):
    change(repaired / "result.json", **others)
    trial = read_trial(repaired)
    assert (trial.outcome, trial.reason) == (outcome, reason)
    assert trial.timed_out == (others == exception("AgentTimeoutError"))


def test_an_exception_that_the_job_allowed_is_scored(repaired):
    change(repaired / "result.json", **exception("FooError"))
    body = json.loads((repaired / "result.json").read_text("utf-8"))
    body["exception_info"]["policy_override"] = {"has_valid_reward": True}
    change(repaired / "result.json", **body)
    assert read_trial(repaired).counts


def test_a_reward_beside_a_verdict_that_could_not_judge_is_suspect(repaired):
    change(repaired / "verifier" / "verdict.json", status="infra_error", reward=None)
    assert read_trial(repaired).outcome == "suspect"


def test_a_verdict_whose_reward_is_no_number_is_suspect(repaired):
    change(repaired / "verifier" / "verdict.json", reward=math.nan)
    trial = read_trial(repaired)
    assert (trial.outcome, trial.reason) == ("suspect", "verdict.json has another reward")


def test_somebody_elses_verdict_is_no_verdict(repaired):
    (repaired / "verifier" / "verdict.json").write_text('{"status": "fine"}', "utf-8")
    trial = read_trial(repaired)
    assert (trial.outcome, trial.red_lines) == ("scored", None)


def test_a_folder_without_trials_is_refused(tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(RecordError, match="no trial here"):
        read_trials([tmp_path / "empty"])


def test_a_trial_that_is_given_twice_is_refused_and_a_folder_is_read_once(job):
    assert len(read_trials([job / "jobs", job / "jobs"])) == 45
    with pytest.raises(RecordError, match="the same trial is given twice"):
        read_trials([job / "jobs", job / "jobs" / "job"])


def test_attempts_are_ranked_by_the_time_at_which_they_began(job):
    trials = read_trials([job / "jobs"])
    assert Counter(trial.attempt for trial in trials) == {1: 15, 2: 15, 3: 15}
    hasty = [trial for trial in trials if trial.policy.agent == "hasty" and trial.task.startswith("reference")]
    assert [trial.red_lines for trial in hasty] == [("decoy", "delete"), ("build-config", "comment-out"), ("decoy",)]
