"""What all tests share: one store of builds, so that no paper is built twice in a run."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest

from lattice_env.verifier.store import Store
from lattice_env.verifier.toolchain import toolchain
from lattice_env.verifier.verdict import InfraError


@pytest.fixture(scope="session")
def builds(tmp_path_factory) -> Store:
    """A store that all workers of one test run share, and no other run."""
    shared = tmp_path_factory.getbasetemp()
    folder = shared.parent if os.environ.get("PYTEST_XDIST_WORKER") else shared
    return Store(Path(folder) / "builds")


@pytest.fixture(scope="session")
def paper_task(builds, tmp_path_factory):
    """The folder of a task on a small paper that does not build; copy it before it is spoilt."""
    from lattice_env.families.paper.make import make_task
    from lattice_env.families.paper.operator import operators
    from lattice_env.packages import write_package
    from lattice_env.seeds import load_seed

    seed = load_seed(Path(__file__).parent / "seeds" / "papers" / "otter")
    task = make_task(seed, operators()["TEX-CMD-TRP"], "packages", builds).task
    assert task is not None
    folder = tmp_path_factory.mktemp("paper") / task.name
    write_package(task, folder)
    return folder


@pytest.fixture(scope="session")
def document_task(tmp_path_factory):
    """The folder of a task on a short document, which needs no TeX."""
    from lattice_env.families.doc_edit.make import make_task
    from lattice_env.families.doc_edit.recipe import Knobs, recipes
    from lattice_env.packages import write_package

    task = make_task(next(recipes(Knobs(seed="tests", families=("reference-and-update",), levels=("letter",))))).task
    folder = tmp_path_factory.mktemp("document") / task.name
    write_package(task, folder)
    return folder


@pytest.fixture(scope="session")
def picture_task(tmp_path_factory):
    """The folder of a task on a picture that ships with us, which needs no TeX."""
    from lattice_env.families.latex_ocr.make import load_formulas, make_task
    from lattice_env.packages import write_package

    task = make_task(load_formulas()[-1])
    folder = tmp_path_factory.mktemp("picture") / task.name
    write_package(task, folder)
    return folder


@pytest.fixture(scope="session")
def each_task(paper_task, document_task, picture_task):
    """A task of every family, as `reset` takes it."""
    return {"paper": str(paper_task), "document": str(document_task), "ocr": str(picture_task)}


@pytest.fixture(scope="session")
def family_task(request, tmp_path_factory):
    """A function: the folder of a task of a family, by the family's name."""
    from lattice_env.families.doc_edit.make import make_task as make_document
    from lattice_env.families.doc_edit.recipe import Knobs, recipes
    from lattice_env.families.paper.make import make_task as make_paper
    from lattice_env.families.paper.operator import operators
    from lattice_env.packages import write_package
    from lattice_env.seeds import load_seed

    fixtures = {"build-repair": "paper_task", "reference-and-update": "document_task", "latex-ocr": "picture_task"}
    made = {}
    codes = {"reference-hygiene": "LAT-REF-SWP", "silent-change": "TEX-LVL-SFT"}

    def make(family):
        if family not in codes:
            return make_document(next(recipes(Knobs(seed="tests", families=(family,), levels=("letter",))))).task
        seed = load_seed(Path(__file__).parent / "seeds" / "papers" / "otter")
        return make_paper(seed, operators()[codes[family]], "packages", request.getfixturevalue("builds")).task

    def found(family):
        if family in fixtures:
            return request.getfixturevalue(fixtures[family])
        if family not in made:
            task = make(family)
            made[family] = tmp_path_factory.mktemp(family) / task.name
            write_package(task, made[family])
        return made[family]

    return found


def pytest_runtest_setup(item):
    """A test that builds papers is skipped on a person's machine without TeX, and fails in CI.

    One that needs OpenEnv is skipped where Harbor's environment runs it: `scripts/test` runs it in its own.
    """
    if item.get_closest_marker("openenv") and importlib.util.find_spec("openenv") is None:
        pytest.skip("OpenEnv is not installed here: make openenv, and run in .venv-openenv")
    if item.get_closest_marker("tex") is None:
        return
    try:
        toolchain()
    except InfraError as error:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(str(error))
