"""Tasks of both families on small papers, and packages of them."""

from __future__ import annotations

import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from lattice_env.families.paper.make import make_task
from lattice_env.families.paper.operator import operators
from lattice_env.packages import write_package
from lattice_env.seeds import load_seed
from lattice_env.verifier.latex import decode

os.environ["HARBOR_TELEMETRY"] = "0"
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

PAPERS = Path(__file__).parents[1] / "seeds" / "papers"


@pytest.fixture(scope="session")
def seeds():
    """A UTF-8 paper, one of several files, and one in Latin-1."""
    otter, heron = load_seed(PAPERS / "otter"), load_seed(PAPERS / "heron")
    text = decode(otter.files["main.tex"]).replace("\\usepackage", "\\usepackage[latin1]{inputenc}\n\\usepackage", 1)
    latin = replace(otter, name="latin", files={**otter.files, "main.tex": text.encode("latin-1")})
    return {"otter": otter, "heron": heron, "latin": latin}


@pytest.fixture(scope="session")
def make(seeds, builds):
    """A function: the task of an operator on a small paper."""

    def made(seed, code, salt="packages"):
        task = make_task(seeds[seed], operators()[code], salt, builds).task
        assert task is not None
        return task

    return made


@pytest.fixture(scope="session")
def task(make):
    return make("otter", "TEX-CMD-TRP")


@pytest.fixture
def package(task, tmp_path):
    """The folder of a task, to be spoilt."""
    folder = tmp_path / task.name
    write_package(task, folder)
    return folder


@pytest.fixture
def small_disk(tmp_path):
    """A disk of 64 kB, which no package fits on."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    try:
        done = subprocess.run(command, capture_output=True, timeout=20, check=False)
    except OSError:
        pytest.skip("no mount on this machine")
    if done.returncode:
        pytest.skip("this user cannot mount a small disk")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], timeout=20, check=True)
