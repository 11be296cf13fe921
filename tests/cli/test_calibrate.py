"""`calibrate`, `select` and `split-check` on the command line: exit codes, what is printed, what is written."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lattice_env.cli import main

KEPT = Path(__file__).parents[1] / "analysis" / "harbor_job" / "job_of_45.json"
PAPERS = Path(__file__).parents[1] / "seeds" / "papers"


@pytest.fixture
def job(tmp_path):
    """A folder with `tasks` and `jobs/job`, as the real job left them."""
    for name, body in json.loads(KEPT.read_text("utf-8")).items():
        path = tmp_path / "real" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(body if isinstance(body, str) else json.dumps(body), "utf-8")
    return tmp_path / "real"


@pytest.fixture
def said(capsys):
    """A function: the exit code, stdout and stderr of a command."""

    def run(*words):
        code = main([str(word) for word in words])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def keep_agent(job, agent):
    """Leave only an agent's trials in the job."""
    for path in list(job.glob("jobs/job/*/result.json")):
        if json.loads(path.read_text("utf-8"))["agent_info"]["name"] != agent:
            shutil.rmtree(path.parent)


def test_a_calibration_is_printed_and_written(said, job, tmp_path):
    out, page = tmp_path / "new" / "c.json", tmp_path / "new" / "c.html"
    code, text, err = said("calibrate", job / "jobs", "--tasks", job / "tasks", "--out", out, "--html", page)
    assert (code, err) == (0, "")
    for words in ("3 KEEP, 0 TRIVIAL", "3 of 6", "verifier_error: VerifierTimeoutError", "ConnectionResetError"):
        assert words in text
    assert json.loads(out.read_text("utf-8"))["labels"]["KEEP"] == 3
    assert page.read_text("utf-8").startswith("<!doctype html>")
    code, text, _ = said("calibrate", job / "jobs", "--tasks", job / "tasks", "--json")
    assert (code, text) == (0, out.read_text("utf-8"))


@pytest.mark.parametrize(("agent", "reward"), [("oracle", 1), ("nop", 0)])
def test_controls_score_as_expected(said, job, agent, reward):
    keep_agent(job, agent)
    words = ("calibrate", job / "jobs", "--tasks", job / "tasks", "--expect-reward")
    assert said(*words, reward)[0] == 0
    code, _, err = said(*words, 1 - reward)
    assert (code, err.count(f"not {1 - reward}: ")) == (1, 9)
    assert f"9 of 9 trials did not score {1 - reward}" in err


def test_a_trial_that_did_not_count_is_not_as_expected(said, job):
    keep_agent(job, "oracle")
    next(job.glob("jobs/job/*/result.json")).unlink()
    code, _, err = said("calibrate", job / "jobs", "--tasks", job / "tasks", "--expect-reward", 1)
    assert code == 1
    assert "no_result, no reward: no result.json" in err


def test_bad_data_is_exit_code_4_and_writes_nothing(said, job, tmp_path):
    verdict = next(job.glob("jobs/job/*/verifier/verdict.json"))
    body = json.loads(verdict.read_text("utf-8"))
    verdict.write_text(json.dumps(body | {"verifier": "6" * 64}), "utf-8")
    out = tmp_path / "c.json"
    code, text, err = said("calibrate", job / "jobs", "--tasks", job / "tasks", "--out", out)
    assert (code, text, out.exists()) == (4, "", False)
    assert "2 verifiers judged these trials" in err
    assert "hint:" in err
    (tmp_path / "episodes.jsonl").write_text('{"reward": NaN}\n', "utf-8")
    code, _, err = said("calibrate", tmp_path, "--tasks", job / "tasks")
    assert code == 4
    assert "episodes.jsonl:1: NaN is no value here" in err


def test_tasks_that_were_never_tried_are_told(said, job):
    for path in job.glob("jobs/job/reference*"):
        shutil.rmtree(path)
    code, text, err = said("calibrate", job / "jobs", "--tasks", job / "tasks")
    assert code == 0
    assert "1 UNDERSAMPLED" in text
    assert "1 tasks were never tried: reference-hygiene-" in err


def test_a_selection_is_copied(said, job, tmp_path):
    out = tmp_path / "c.json"
    said("calibrate", job / "jobs", "--tasks", job / "tasks", "--out", out)
    words = ("select", out, "--tasks", job / "tasks", "--copy-to", tmp_path / "keep")
    code, text, err = said(*words, "--balance", "--limit", 2, "--json")
    assert (code, err) == (0, "")
    names = [row["task"] for row in json.loads(text)]
    assert sorted(path.name for path in (tmp_path / "keep").iterdir()) == sorted([*names, "manifest.json"])
    assert said(*words)[0] == 2
    assert said(*words[:-1], tmp_path / "none", "--label", "TRIVIAL")[0] == 1
    assert said(*words[:-1], tmp_path / "none", "--label", "HARD")[0] == 2
    assert not (tmp_path / "none").exists()


def test_a_private_seed_that_is_a_public_one_is_found_even_by_the_same_name(said, tmp_path):
    for side in ("private", "public"):
        shutil.copytree(PAPERS / "heron", tmp_path / side / "heron")
    shutil.copytree(PAPERS / "otter", tmp_path / "private" / "otter")
    words = ("split-check", "--private-seeds-dir", tmp_path / "private", "--public-seeds-dir", tmp_path / "public")
    code, text, _ = said(*words)
    assert code == 1
    assert "heron.tex:1" in text
    code, text, _ = said(*words, "--json")
    assert [(leak["private"], leak["public"]) for leak in json.loads(text)["leaks"]] == [("heron", "heron")]


def test_seeds_of_ones_own_do_not_leak(said):
    code, text, _ = said("split-check", "--private-seeds-dir", PAPERS)
    assert code == 0
    assert "0 leaks: 2 private and" in text


def test_lines_of_files_are_compared(said, tmp_path):
    (tmp_path / "ours").write_text("\\frac{a}{b} + c\nx^2 + y^2 = z^2\n", "utf-8")
    (tmp_path / "theirs").write_text("x^2 + y^2 = z^2\n", "utf-8")
    words = ("split-check", "--private-texts", tmp_path / "ours", "--tokens")
    assert said(*words, "--public-texts", tmp_path / "theirs")[0] == 1
    assert said(*words)[0] == 2
    assert said("split-check")[0] == 2
    assert said(*words, "--private-seeds-dir", PAPERS)[0] == 2


def test_without_the_extra_the_command_names_it():
    script = "import sys; sys.modules['numpy'] = None; from lattice_env.cli import main; sys.exit(main(sys.argv[1:]))"
    line = [sys.executable, "-c", script, "split-check", "--private-seeds-dir", str(PAPERS)]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (3, "")
    assert "pip install 'lattice-env[leakage]'" in done.stderr
