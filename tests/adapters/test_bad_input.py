"""What no verifier can judge is an error of the trial in Harbor's records, and never a 0."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import pytest

from lattice_env.families.paper.make import make_task
from lattice_env.families.paper.operator import operators
from lattice_env.packages import Pin, write_package
from lattice_env.seeds import BUNDLED, load_seed
from lattice_env.verifier.toolchain import toolchain

pytestmark = [pytest.mark.tex, pytest.mark.harbor]


@pytest.fixture(scope="module")
def pinned(tmp_path_factory, builds):
    """A folder with one task, which is for this machine's toolchain."""
    folder = tmp_path_factory.mktemp("pinned")
    task = make_task(load_seed(BUNDLED / "tutorial"), operators()["TEX-CMD-TRP"], "adapters", builds).task
    assert task is not None
    write_package(task, folder / task.name, Pin("local", "", (toolchain().fingerprint,)))
    return folder


@pytest.fixture
def spoilt(pinned, tmp_path):
    """A function: the task, with one of its files changed or added."""

    def make(path, change):
        (source,) = pinned.iterdir()
        folder = tmp_path / "tasks" / source.name
        shutil.copytree(source, folder)
        old = (folder / path).read_text("utf-8") if (folder / path).exists() else ""
        (folder / path).write_text(change(old), "utf-8")
        return folder.parent

    return make


@pytest.fixture
def outcome(run_job, tmp_path):
    """A function: the rewards and the error of the one trial of a job."""

    def ran(tasks, agent=None, environment="LocalEnvironment"):
        module = "lattice_env.adapters.harbor_local" if environment == "LocalEnvironment" else "broken_environments"
        (result,) = run_job(tasks, tmp_path / "jobs", [agent or {"name": "nop"}], environment=f"{module}:{environment}")
        rewards = (result["verifier_result"] or {}).get("rewards")
        return rewards, (result["exception_info"] or {}).get("exception_type")

    return ran


def test_the_task_as_it_is_earns_a_0_here(outcome, pinned):
    rewards, error = outcome(pinned)
    assert (rewards["reward"], error) == (0, None)


@pytest.mark.parametrize("environment", ["WithoutPdftotext", "OtherYear"])
def test_an_image_that_cannot_judge(outcome, pinned, environment):
    assert outcome(pinned, environment=environment) == (None, "RewardFileNotFoundError")


def test_logs_that_cannot_be_written(outcome, pinned):
    rewards, error = outcome(pinned, environment="ReadOnlyLogs")
    assert rewards is None
    assert error


def test_tests_with_a_file_more(outcome, spoilt):
    assert outcome(spoilt("tests/conftest.py", lambda _: "x = 1\n")) == (None, "RewardFileNotFoundError")


def test_a_task_for_another_toolchain(outcome, pinned, tmp_path, builds):
    task = make_task(load_seed(BUNDLED / "tutorial"), operators()["TEX-CMD-TRP"], "adapters", builds).task
    write_package(task, tmp_path / "tasks" / task.name, Pin("other", "", ("0" * 64,)))
    assert outcome(tmp_path / "tasks") == (None, "RewardFileNotFoundError")


def test_a_verifier_that_is_killed_at_its_time_out(outcome, spoilt):
    tasks = spoilt("task.toml", lambda text: text.replace("timeout_sec = 300.0", "timeout_sec = 0.1"))
    assert outcome(tasks) == (None, "VerifierTimeoutError")


def test_a_workspace_that_is_too_large_to_carry_is_a_missing_one_to_harbor(outcome, pinned, tmp_path):
    rewards, error = outcome(pinned, {"import_path": "scripted_agents:Hoarder"}, "SmallTransfers")
    assert (rewards["reward"], error) == (0, None), "Harbor carries as well as it can, and says so in its manifest only"
    (manifest,) = (tmp_path / "jobs" / "job").glob("*/artifacts/manifest.json")
    (entry,) = [entry for entry in json.loads(manifest.read_text("utf-8")) if entry["source"] == "/app"]
    assert entry["status"] == "failed"


def test_harbor_s_linter_finds_what_the_guide_gives_a_reason_for_and_no_more(pinned, installed):
    (task,) = pinned.iterdir()
    line = [sys.executable, "-m", "harbor.cli.main", "lint", str(task), "--select", "ALL", "--json"]
    done = subprocess.run(line, capture_output=True, text=True, timeout=120, check=False)
    assert [finding["rule"] for finding in json.loads(done.stdout)] == ["root-agent"]
