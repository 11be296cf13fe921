"""What the tests of the adapters share; Harbor is imported in fixtures only, for it takes seconds."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import tempfile
from pathlib import Path

import pytest

ENVIRONMENT = "lattice_env.adapters.harbor_local:LocalEnvironment"

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


@pytest.fixture(scope="session")
def run_job(installed):
    """A function: run a job as `harbor run -p TASKS` makes it; it leaves no box."""
    from harbor.job import Job
    from harbor.models.job.config import DatasetConfig, JobConfig
    from harbor.models.trial.config import AgentConfig, EnvironmentConfig

    async def run(tasks, jobs, agents, seconds, environment):
        config = JobConfig(
            job_name="job",
            jobs_dir=jobs,
            n_concurrent_trials=2,
            quiet=True,
            agents=[AgentConfig(**agent) for agent in agents],
            datasets=[DatasetConfig(path=tasks)],
            environment=EnvironmentConfig(import_path=environment),
        )
        job = await Job.create(config)
        await asyncio.wait_for(job.run(), seconds)

    def ran(tasks, jobs, agents, seconds=300, environment=ENVIRONMENT):
        with pytest.MonkeyPatch.context() as patch:
            patch.syspath_prepend(str(Path(__file__).parent))
            patch.setattr(tempfile, "tempdir", str(jobs))
            try:
                asyncio.run(run(tasks, jobs, agents, seconds, environment))
            finally:
                assert list(jobs.glob("lattice-box-*")) == []
        return [json.loads(path.read_text("utf-8")) for path in sorted((jobs / "job").glob("*/result.json"))]

    return ran
