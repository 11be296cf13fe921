"""`lattice-env repair` and `tree` from the shell: what is printed, where the evidence lies, how they end."""

import json
import shutil
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "repair"
ACTIVE = "documents/repair/main.tex"

pytestmark = pytest.mark.tex


@pytest.fixture
def example(tmp_path):
    """The public fixture, to be repaired."""
    return Path(shutil.copytree(EXAMPLE, tmp_path / "paper"))


def test_the_example_is_repaired_and_its_evidence_holds(cli, example):
    done = cli("repair", example, "--active", ACTIVE, "--json")
    assert done.returncode == 0, done.stderr
    facts = json.loads(done.stdout)
    assert (facts["status"], facts["edits"], facts["root"]) == ("success", 1, ACTIVE)
    assert facts["evidence"] == str(example.parent / "paper-repair")
    assert "documents/repair/main.tex:9: Undefined control sequence." in done.stderr
    checked = cli("repair", "--check", facts["evidence"])
    assert (checked.returncode, checked.stdout) == (0, "the evidence holds: 6 steps, 2 builds done again\n")


def test_roots_without_a_choice_are_listed(cli, example, tmp_path):
    done = cli("repair", example, "--out", tmp_path / "run")
    assert done.returncode == 2
    assert done.stdout.startswith(f"ambiguous_root: name the root: {ACTIVE}, main.tex")


def test_a_failure_that_is_left_is_exit_code_1(cli, tmp_path):
    (tmp_path / "paper").mkdir()
    (tmp_path / "paper" / "a.tex").write_text("\\documentclass{article}\\begin{document}\\nosuchword\\end{document}")
    done = cli("repair", tmp_path / "paper")
    assert done.returncode == 1
    assert "left: a.tex:1: Undefined control sequence." in done.stdout


def test_evidence_that_does_not_hold_is_exit_code_1(cli, tmp_path):
    (tmp_path / "trace.jsonl").write_text("{}\n")
    done = cli("repair", "--check", tmp_path)
    assert (done.returncode, "digest of the line before" in done.stdout) == (1, True)


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["repair"], 2, "no PROJECT"),
        (["repair", "PAPER", "--policy", "llm"], 2, "--base-url"),
        (["repair", "PAPER", "--policy", "magic"], 2, "magic"),
        (["repair", "PAPER", "--repository", "x"], 2, "--tree"),
        (["repair", "PAPER", "--tree", "PAPER"], 2, "nothing is installed there"),
        (["repair", "PAPER", "--root", "none.tex"], 2, "not a file of the project"),
        (["repair", "PAPER", "--root", "main.tex", "--out", "PAPER/run"], 2, "lies in the project"),
        (["repair", "PAPER/main.tex"], 4, "is not a folder"),
        (["repair", "--check", "PAPER"], 4, "trace.jsonl"),
        (["tree", "grow", "PAPER"], 2, "grow"),
        (["tree", "init", "PAPER"], 2, "not empty"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_what_cannot_be_done_is_said(cli, example, words, code, says):
    done = cli(*(word.replace("PAPER", str(example)) for word in words))
    assert (done.returncode, done.stdout) == (code, "")
    assert says in done.stderr
    assert (example / ACTIVE).read_bytes() == (EXAMPLE / ACTIVE).read_bytes()
