"""One plan of tasks and scripts, and the programs of the environments that play it."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace

import pytest

from lattice_env.families.doc_edit.recipe import Knobs

from .scripts import make_plan

HERE = Path(__file__).parent
ROOT = Path(__file__).parents[3]
KNOBS = Knobs(num_examples=2, seed="conformance", levels=("file",))


@pytest.fixture(scope="session")
def plan(tmp_path_factory):
    """The tasks, what every script earns in process, and a file that tells other environments of both."""
    made = make_plan(KNOBS)
    path = tmp_path_factory.mktemp("plan") / "plan.json"
    path.write_text(json.dumps([entry for _, entry, _ in made]), "utf-8")
    knobs = {name: value for name, value in asdict(KNOBS).items() if value not in ((), None)}
    pairs = [(task, entry) for task, entry, _ in made]
    entries, played = [entry for _, entry in pairs], [recorders for _, _, recorders in made]
    return SimpleNamespace(made=pairs, entries=entries, played=played, path=path, knobs=json.dumps(knobs))


@pytest.fixture(scope="session")
def program():
    """A function: the path of a program in a consumer's environment; skipped where `scripts/consumers` was not run."""

    def find(consumer, name="python"):
        path = ROOT / ".consumers" / consumer / "bin" / name
        if not path.exists():
            if os.environ.get("CI") == "true":
                pytest.fail(f"scripts/consumers {consumer} was not run")
            pytest.skip(f"scripts/consumers {consumer} makes its environment")
        return str(path)

    return find


@pytest.fixture
def run(tmp_path):
    """A function: what a program prints; the test fails where it does."""

    def ran(*words, seconds=600, **settings):
        environment = {**os.environ, "HF_HUB_OFFLINE": "1", "HARBOR_TELEMETRY": "0", **settings}
        line = list(map(str, words))
        done = subprocess.run(
            line, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=seconds, check=False
        )
        assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
        return done.stdout

    return ran
