"""Every consumer, with its own code and in its own environment, pays the repair and nothing else."""

from __future__ import annotations

import json
import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from lattice_env.families.doc_edit import make as documents
from lattice_env.families.doc_edit.recipe import Knobs, recipes
from lattice_env.families.latex_ocr import make as formulas
from lattice_env.families.paper.make import make_task
from lattice_env.families.paper.operator import operators
from lattice_env.packages import Pin, write_package
from lattice_env.seeds import load_seed
from lattice_env.verifier.toolchain import toolchain

pytestmark = [pytest.mark.tex, pytest.mark.consumers]

ROOT = Path(__file__).parents[2]
PAPERS = ROOT / "tests" / "seeds" / "papers"
EARNED = runpy.run_path(str(Path(__file__).parent / "submissions.py"))["EARNED"]
OPERATORS = ["TEX-CMD-TRP", "LAT-REF-SWP"]
CONSUMERS = ["harbor-0.26", "harbor-0.24", "openenv", "verifiers", "tinker"]
JAILED = ["verifiers", "tinker"]
"""Those whose commands would run on this machine itself."""


@pytest.fixture(scope="session")
def tasks(tmp_path_factory, builds):
    """A folder with a task of each of four families; the papers' are made for this machine's toolchain."""
    folder = tmp_path_factory.mktemp("consumers") / "tasks"
    pin = Pin("local", "", (toolchain().fingerprint,))
    for code in OPERATORS:
        task = make_task(load_seed(PAPERS / "otter"), operators()[code], "consumers", builds).task
        assert task is not None
        write_package(task, folder / task.name, pin)
    document = documents.make_task(next(recipes(Knobs(seed="consumers", levels=("file",))))).task
    for task in (document, formulas.make_task(formulas.load_formulas()[3])):
        write_package(task, folder / task.name)
    return folder


def jail(scratch, *readable):
    """A bubblewrap command: a root of its own, this machine's programs and `readable` to read, no network."""
    folders = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc", "/var/lib", *map(str, readable)]
    words = ["bwrap", "--unshare-all", "--die-with-parent", "--bind", str(scratch), "/"]
    words += [word for name in folders if Path(name).exists() for word in ("--ro-bind", name, name)]
    words += ["--proc", "/proc", "--dev", "/dev", "--setenv", "HOME", "/root"]
    return [*words, "--dir", "/tmp", "--dir", "/root"]  # noqa: S108 - inside the jail


@pytest.fixture
def run(tasks, tmp_path):
    """A function: what every submission earned on every task under a consumer."""

    def ran(consumer):
        python = ROOT / ".consumers" / consumer / "bin" / "python"
        if not python.exists():
            if os.environ.get("CI") == "true":
                pytest.fail(f"scripts/consumers {consumer} was not run")
            pytest.skip(f"scripts/consumers {consumer} makes its environment")
        line = [str(python), str(ROOT / "tests" / "consumers" / f"run_{consumer.partition('-')[0]}.py")]
        line += [str(tasks), str(tmp_path)]
        if consumer in JAILED:
            (tmp_path / "root").mkdir()
            line = [*jail(tmp_path / "root", ROOT, tasks.parent, sys.base_prefix), *line]
        settings = {"HARBOR_TELEMETRY": "0", "LITELLM_LOCAL_MODEL_COST_MAP": "True", "HF_HUB_OFFLINE": "1"}
        done = subprocess.run(
            line, env=os.environ | settings, cwd=tmp_path, capture_output=True, text=True, timeout=900, check=False
        )
        assert done.returncode == 0, done.stderr[-3000:]
        return json.loads(done.stdout.splitlines()[-1])

    return ran


@pytest.mark.parametrize("consumer", CONSUMERS)
def test_a_consumer_pays_the_repair_and_nothing_else(run, tasks, consumer):
    names = sorted(path.name for path in tasks.iterdir())
    assert run(consumer) == {agent: dict.fromkeys(names, reward) for agent, reward in EARNED.items()}
