"""Data sets and toolchains from the command line."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from lattice_env.cli import main
from lattice_env.packages import read_pin
from lattice_env.verifier.toolchain import toolchain

pytestmark = pytest.mark.tex


def test_a_data_set_is_made_of_a_folder_of_tasks(cli, package, tmp_path):
    done = cli("dataset", package.parent, "--out", tmp_path / "set", "--name", "lattice/one", "--json")
    assert done.returncode == 0, done.stderr
    (row,) = json.loads(done.stdout)
    assert (row["name"], row["operator"]) == (f"lattice/{package.name}", "TEX-CMD-TRP")
    assert (tmp_path / "set" / "tasks" / package.name / "task.toml").is_file()


@pytest.mark.parametrize("words", [["--tier", "4"], ["--family", "doc-edit"], ["--seed", "heron"]])
def test_filters_that_leave_no_task_are_a_usage_error(cli, package, tmp_path, words):
    done = cli("dataset", package.parent, "--out", tmp_path / "set", "--name", "lattice/one", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert "no task is left" in done.stderr
    assert not (tmp_path / "set").exists()


def test_an_edited_task_is_bad_data(cli, package, tmp_path):
    (package / "environment" / "workspace" / "main.tex").write_text("other", "utf-8")
    assert cli("dataset", package.parent, "--out", tmp_path / "set", "--name", "lattice/one").returncode == 4


def test_this_machine_s_fingerprint_is_a_file_for_generate(capsys, tmp_path):
    assert main(["image", "fingerprint", "--name", "here", "--out", str(tmp_path / "pin.json")]) == 0
    assert capsys.readouterr().out == ""
    pin = read_pin(tmp_path / "pin.json")
    assert (pin.name, pin.image, pin.fingerprints) == ("here", "", (toolchain().fingerprint,))
    assert main(["image", "fingerprint"]) == 0
    assert json.loads(capsys.readouterr().out)["fingerprints"] == [toolchain().fingerprint]


def test_a_build_argument_without_a_value_is_a_usage_error():
    line = [sys.executable, "-m", "lattice_env", "image", "build", "debian", "--arg", "BASE"]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "expected KEY=VALUE, not BASE" in done.stderr
