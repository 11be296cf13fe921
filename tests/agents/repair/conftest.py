"""Projects to repair: the public fixture, and one-line papers."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from lattice_env.agents.repair import Setting, choose_root, read_project, repair
from lattice_env.agents.repair.rules import rules
from lattice_env.verifier.toolchain import toolchain

FIXTURE = Path(__file__).parents[3] / "examples" / "repair"
ACTIVE = "documents/repair/main.tex"


def write_project(folder, files):
    """A folder with these files."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def paper(body, preamble=""):
    """A paper whose body begins at its third line, or later where there is a preamble."""
    return f"\\documentclass{{article}}\n{preamble}\\begin{{document}}\n{body}\n\\end{{document}}\n"


@pytest.fixture
def fixture(tmp_path):
    """The public fixture, to be repaired."""
    return Path(shutil.copytree(FIXTURE, tmp_path / "fixture"))


@pytest.fixture
def project(tmp_path):
    """A function: a folder with these files."""
    return lambda files: write_project(tmp_path / "project", files)


@pytest.fixture
def run(tmp_path):
    """A function: the result of a run on a project, and the folder of its evidence."""

    def go(folder, *, policy=rules, root="", active="", **settings):
        evidence = tmp_path / f"run-{len(list(tmp_path.iterdir()))}"
        evidence.mkdir()
        read = read_project(folder)
        setting = Setting(policy, "rules", settings.pop("tools", toolchain), **settings)
        return repair(read, choose_root(read.files, root=root, active=active), evidence, setting), evidence

    return go


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """The evidence of one run on the public fixture: read it, or copy it to spoil it."""
    folder = tmp_path_factory.mktemp("finished")
    copy = Path(shutil.copytree(FIXTURE, folder / "fixture"))
    evidence = folder / "run"
    evidence.mkdir()
    read = read_project(copy)
    result = repair(read, choose_root(read.files, active=ACTIVE), evidence, Setting(rules, "rules", toolchain))
    assert result.status == "success", result
    return evidence


def trace_of(evidence):
    """The lines of a trace."""
    return [json.loads(line) for line in (evidence / "trace.jsonl").read_text("utf-8").splitlines()]
