"""Tasks of doc-edit, which need no TeX, and submissions to them."""

from __future__ import annotations

import json

import pytest

from lattice_env.executors import open_executor
from lattice_env.families.doc_edit.recipe import Knobs
from lattice_env.generate import generate, make_document_plan
from lattice_env.packages import read_package
from lattice_env.testing import write_workspace


@pytest.fixture(scope="session")
def tasks(tmp_path_factory):
    """Three task folders by name; not to be changed."""
    out = tmp_path_factory.mktemp("tasks") / "out"
    plan = make_document_plan(Knobs(num_examples=3, seed="verification", levels=("note",)))
    with open_executor("serial", jobs=1) as executor:
        totals = generate(plan, out, store=None, executor=executor, report=lambda *_: None)
    return {row["task"]: out / row["task"] for row in totals.admitted}


@pytest.fixture(scope="session")
def solved(tasks):
    """A function: the files of a task's oracle, or of another of its cases."""

    def make(name, kind="oracle"):
        package = read_package(tasks[name])
        return next(case for case in package.cases if case.kind == kind).files(package.workspace)

    return make


@pytest.fixture
def submissions(tasks, solved, tmp_path):
    """A folder with the oracle's and the untouched workspace of each task."""
    for name in tasks:
        for kind in ("oracle", "nop"):
            folder = tmp_path / "submissions" / name / kind
            folder.mkdir(parents=True)
            write_workspace(solved(name, kind), folder)
    return tmp_path / "submissions"


@pytest.fixture
def lines():
    """A function: the rows of a file of verdicts."""

    def read(path):
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()]

    return read
