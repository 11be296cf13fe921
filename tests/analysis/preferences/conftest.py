"""The annotated paper with every case, copies of it to be spoilt, and what an export wrote."""

from __future__ import annotations

import importlib
import json
import os
import shutil
from pathlib import Path

import pytest

PAPER = Path(__file__).parents[2] / "fixtures" / "annotated-paper"
LIBRARIES = ("detect_secrets", "jsonschema", "pyarrow")


@pytest.fixture(scope="session", autouse=True)
def libraries():
    """The extra `preferences`: skipped on a person's machine without it, a failure in CI."""
    for name in LIBRARIES:
        try:
            importlib.import_module(name)
        except ImportError:
            if os.environ.get("CI") == "true":
                raise
            pytest.skip(f"{name} is not installed: pip install 'lattice-env[preferences]'")


@pytest.fixture
def paper():
    """The fixture itself, not to be changed."""
    return PAPER


@pytest.fixture
def changed(tmp_path):
    """A function: a copy of the paper whose annotations.json, as data, went through a function."""

    def make(change):
        folder = tmp_path / "paper"
        shutil.copytree(PAPER, folder)
        path = folder / ".research" / "annotations.json"
        body = json.loads(path.read_text("utf-8"))
        change(body)
        path.write_text(json.dumps(body), "utf-8")
        return folder

    return make


@pytest.fixture
def note_of():
    """A function: the annotation of a name in annotations.json as data."""
    return lambda body, name: next(item for item in body["annotations"] if item["id"] == name)


@pytest.fixture
def rows():
    """A function: the rows of a table of an export, none where it was not written."""

    def read(folder, table):
        path = folder / f"{table}.jsonl"
        return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line] if path.exists() else []

    return read
