"""Packages to be fuzzed, and packages whose verifier breaks a law."""

from __future__ import annotations

from pathlib import Path

import pytest

from lattice_env.families.paper.make import make_task
from lattice_env.families.paper.operator import operators
from lattice_env.packages import write_package
from lattice_env.seeds import load_seed

PAPERS = Path(__file__).parents[1] / "seeds" / "papers"


@pytest.fixture(scope="session")
def folders(builds, tmp_path_factory):
    """A task of each family on each of two small papers."""
    folder = tmp_path_factory.mktemp("fuzzed")
    for paper in ("otter", "heron"):
        for code in ("TEX-CMD-TRP", "LAT-REF-SWP"):
            task = make_task(load_seed(PAPERS / paper), operators()[code], "fuzz", builds).task
            assert task is not None
            write_package(task, folder / task.name)
    return sorted(folder.iterdir())
