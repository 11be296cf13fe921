"""The command line in a process of its own, and packages to give it."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from lattice_env.families.paper.make import make_task
from lattice_env.families.paper.operator import operators
from lattice_env.packages import write_package
from lattice_env.seeds import load_seed
from lattice_env.verifier import sandbox
from lattice_env.verifier.toolchain import tool_dirs

PAPERS = Path(__file__).parents[1] / "seeds" / "papers"
LATEXMK = sorted({str(path.resolve()) for path in (folder / "latexmk" for folder in tool_dirs()) if path.exists()})


@pytest.fixture(scope="session")
def cache(tmp_path_factory, builds):
    """A user's cache folder, in which the builds of this test run are kept."""
    folder = tmp_path_factory.mktemp("cache")
    builds.folder.mkdir(parents=True, exist_ok=True)
    (folder / "lattice-env").mkdir()
    (folder / "lattice-env" / "builds").symlink_to(builds.folder, target_is_directory=True)
    return folder


@pytest.fixture(scope="session")
def cli(cache):
    """A function: run `lattice-env` to its end; `tex=False` on a machine that has no latexmk."""

    def run(*words, tex=True, program=("-m", "lattice_env")):
        line = [sys.executable, *program, *map(str, words)]
        if not tex:
            if sandbox.kind() != sandbox.BUBBLEWRAP:
                pytest.skip("no bubblewrap works here")
            hidden = [word for path in LATEXMK for word in ("--ro-bind", "/dev/null", path)]
            line = ["bwrap", "--dev-bind", "/", "/", *hidden, "--", *line]
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(cache), "XDG_CACHE_HOME": str(cache), "LC_ALL": "C.UTF-8"}
        return subprocess.run(
            line, env=environment, cwd=cache, capture_output=True, text=True, timeout=240, check=False
        )

    return run


@pytest.fixture(scope="session")
def task(builds):
    """A task on a small paper."""
    made = make_task(load_seed(PAPERS / "otter"), operators()["TEX-CMD-TRP"], "packages", builds).task
    assert made is not None
    return made


@pytest.fixture
def package(task, tmp_path):
    """Its folder, to be spoilt."""
    folder = tmp_path / task.name
    write_package(task, folder)
    return folder


@pytest.fixture
def wrong_package(task, tmp_path):
    """A package of which one self-test cannot hold: the untouched paper must earn 1."""
    cases = tuple(replace(case, low=1.0, high=1.0) if case.kind == "nop" else case for case in task.cases)
    folder = tmp_path / "wrong"
    write_package(replace(task, cases=cases), folder)
    return folder


@pytest.fixture
def workspace(task, tmp_path):
    """A function: a folder with what a case of the task submits."""

    def make(kind):
        folder = tmp_path / f"workspace-{kind}"
        case = next(case for case in task.cases if case.kind == kind)
        for path, data in case.files(task.start).items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(data)
        return folder

    return make
