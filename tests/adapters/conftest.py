"""What the tests of the adapters share; Harbor is imported in fixtures only, for it takes seconds."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import pytest

os.environ["HARBOR_TELEMETRY"] = "0"
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"


@pytest.fixture(scope="session")
def installed():
    """Harbor and bubblewrap; without them a test is skipped on a person's machine, and fails in CI."""
    if os.environ.get("CI") != "true":
        pytest.importorskip("harbor")
        if shutil.which("bwrap") is None:
            pytest.skip("no bubblewrap on this machine")


@pytest.fixture
def scratch(tmp_path, monkeypatch):
    """The folder in which boxes are made, empty again when a test ends."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    assert list(folder.iterdir()) == []


@pytest.fixture
def running():
    """A function: the processes of this machine whose command line holds a word."""

    def found(word):
        lines = {}
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                lines[path.parent.name] = path.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
            except (FileNotFoundError, ProcessLookupError):
                continue
        return [line for line in lines.values() if word in line]

    return found
