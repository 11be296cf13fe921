"""The job templates do what they say, with the variables that Slurm and Kubernetes set: shards, then the whole."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

CLUSTER = Path(__file__).parents[2] / "examples" / "cluster"
WORDS = "--family audit-and-correct --level note --limit 3"


@pytest.fixture
def place(tmp_path):
    """A folder for the output, and a `lattice-env` on PATH that makes documents to edit: they need no TeX."""
    program = tmp_path / "bin" / "lattice-env"
    program.parent.mkdir()
    lines = ("#!/bin/bash", f"words=(); [[ $1 == generate ]] && words=({WORDS})")
    lines += (f'exec {sys.executable} -m lattice_env "$@" "${{words[@]}}"',)
    program.write_text("\n".join(lines) + "\n", "utf-8")
    program.chmod(0o755)
    return tmp_path


def run(line, place, **settings):
    environment = {"PATH": f"{place / 'bin'}:/usr/bin:/bin", "HOME": str(place), "TMPDIR": str(place)} | settings
    done = subprocess.run(line, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stderr


def whole(place):
    """The root of one run of the plan."""
    out = place / "whole"
    text = run(["lattice-env", "generate", "--out", str(out), "--salt", "secret"], place)
    return re.findall(r"root (\w+)", text)


def test_a_slurm_array_makes_shards_that_merge_to_the_whole(place):
    script = str(CLUSTER / "slurm.sh")
    settings = {"LATTICE_OUT": str(place / "out"), "LATTICE_SALT": "secret", "SLURM_CPUS_PER_TASK": "1"}
    for number in ("2", "1", "2"):
        run([script], place, SLURM_ARRAY_TASK_ID=number, SLURM_ARRAY_TASK_COUNT="2", **settings)
    text = run([script, "merge", "2"], place, SLURM_ARRAY_TASK_ID="1", **settings)
    assert re.findall(r"root (\w+)", text) == whole(place)


def test_an_indexed_job_makes_shards_that_merge_to_the_whole(place):
    text = (CLUSTER / "kubernetes.yaml").read_text("utf-8")
    block = re.search(r"- \|\n((?: {14}.*\n)+)", text)[1]
    script = block.replace("/out/", f"{place}/out/").replace("/builds", f"{place}/builds")
    for index in ("1", "0"):
        run(["bash", "-euc", script], place, JOB_COMPLETION_INDEX=index, SHARDS="2", SALT="secret")
    out = place / "out"
    text = run(["bash", "-euc", f"lattice-env merge {out}/tasks {out}/shards/*"], place)
    assert re.findall(r"root (\w+)", text) == whole(place)


def test_the_templates_name_every_variable_that_they_are_given():
    assert os.access(CLUSTER / "slurm.sh", os.X_OK)
    text = (CLUSTER / "kubernetes.yaml").read_text("utf-8")
    assert re.search(r"completions: (\d+)", text)[1] == re.search(r'name: SHARDS\n +value: "(\d+)"', text)[1]
