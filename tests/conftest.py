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
