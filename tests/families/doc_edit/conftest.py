"""Tasks of doc-edit that several tests look at."""

from __future__ import annotations

from functools import cache

import pytest

from lattice_env.families.doc_edit.levels import LEVELS
from lattice_env.families.doc_edit.make import make_task
from lattice_env.families.doc_edit.recipe import Knobs, recipes
from lattice_env.verifier.edit_spec import FAMILIES


@pytest.fixture(scope="session")
def make():
    """A function: the proved task of a family and a level."""

    @cache
    def make(family=FAMILIES[0], level="file", seed="tests", **knobs):
        return make_task(next(recipes(Knobs(seed=seed, families=(family,), levels=(level,), **knobs))))

    return make


@pytest.fixture(scope="session", params=[(family, level) for family in FAMILIES for level in LEVELS], ids="-".join)
def made(request, make):
    """A proved task of every family and level."""
    return make(*request.param)
