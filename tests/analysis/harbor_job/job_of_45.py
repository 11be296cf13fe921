"""A Harbor job of 45 real trials: three tasks, five agents, three attempts each.

`python tests/analysis/harbor_job/job_of_45.py FOLDER` runs it (four minutes), writes FOLDER/tasks and FOLDER/jobs/job,
and keeps in job_of_45.json, beside this file, what `calibrate` reads of them: keys that nothing reads are dropped,
folders of this machine are not named, and tasks are cut down to task.toml, their digests with them.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
from pathlib import Path

from lattice_env.analysis.task_facts import harbor_digest
from lattice_env.families.paper.make import make_task
from lattice_env.families.paper.operator import operators
from lattice_env.packages import write_package
from lattice_env.seeds import load_seed
from lattice_env.verifier.store import Store

os.environ["HARBOR_TELEMETRY"] = "0"
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

HERE = Path(__file__).parent
PAPERS = HERE.parents[1] / "seeds" / "papers"
TASKS = (("otter", "TEX-CMD-TRP"), ("heron", "LAT-REF-SWP"), ("heron", "TEX-ENV-REN"))
FLAKY = (
    ("repair late", "repair crash", "no-task"),
    ("late", "repair slow", "repair mute"),
    ("late mute", "crash", "no-start"),
)
"""What Flaky does on each task, attempt by attempt; an environment that does not start costs the first one."""

AGENT_SECONDS, VERIFIER_SECONDS = 30, 120


def make_tasks(folder: Path, store: Store) -> None:
    """Write the three tasks, and what Flaky does on them."""
    plans = {}
    for (paper, code), plan in zip(TASKS, FLAKY, strict=True):
        task = make_task(load_seed(PAPERS / paper), operators()[code], "calibrate", store).task
        if task is None:
            message = f"{paper} has no place for {code}"
            raise LookupError(message)
        write_package(task, folder / task.name)
        plans[task.name] = plan
    (folder / "flaky.json").write_text(json.dumps(plans), "utf-8")


async def run(tasks: Path, jobs: Path) -> None:
    """Run all trials as one job, `jobs`/job."""
    from harbor.job import Job
    from harbor.models.job.config import DatasetConfig, JobConfig
    from harbor.models.trial.config import AgentConfig, EnvironmentConfig, VerifierConfig

    config = JobConfig(
        job_name="job",
        jobs_dir=jobs,
        n_attempts=3,
        n_concurrent_trials=2,
        quiet=True,
        agents=[
            AgentConfig(name="oracle"),
            AgentConfig(name="nop"),
            AgentConfig(import_path="calibration_agents:Mender", model_name="lab/steady-1"),
            AgentConfig(import_path="calibration_agents:Hasty", model_name="lab/rash-1"),
            AgentConfig(import_path="calibration_agents:Flaky", override_timeout_sec=AGENT_SECONDS),
        ],
        datasets=[DatasetConfig(path=tasks)],
        environment=EnvironmentConfig(import_path="calibration_agents:FaultyEnvironment"),
        verifier=VerifierConfig(override_timeout_sec=VERIFIER_SECONDS),
    )
    job = await Job.create(config)
    await job.run()


RESULT = (
    "schema_version id task_name trial_name agent_info.name config.agent.model_name verifier_result exception_info"
    " started_at reward_valid"
).split()
CONFIG = "trial_name task.path agent.name agent.import_path agent.model_name".split()
VERDICT = "status reward redLines verifier task error".split()
EXCEPTION = "exception_type exception_message policy".split()


def pruned(folder: Path) -> dict[str, object]:
    """Path → what is kept of each file, for the tasks and trials that `main` wrote into `folder`."""
    kept: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as scratch:
        digests = {}
        for task in sorted((folder / "tasks").glob("*/task.toml")):
            name = f"tasks/{task.parent.name}/task.toml"
            kept[name] = task.read_text("utf-8")
            (Path(scratch) / name).parent.mkdir(parents=True)
            (Path(scratch) / name).write_bytes(task.read_bytes())
            digests[task.parent.name] = harbor_digest((Path(scratch) / name).parent)
    for trial in sorted((folder / "jobs" / "job").glob("*/config.json")):
        kept |= {f"jobs/job/{trial.parent.name}/{name}": body for name, body in _trial(trial.parent, digests).items()}
    return kept


def _trial(trial: Path, digests: dict[str, str]) -> dict[str, object]:
    """What is kept of a trial's folder."""
    config = _only(json.loads((trial / "config.json").read_text("utf-8")), CONFIG)
    task = Path(config["task"]["path"]).name
    config["task"]["path"] = f"tasks/{task}"
    result = _only(json.loads((trial / "result.json").read_text("utf-8")), RESULT)
    if result["exception_info"]:
        result["exception_info"] = _only(result["exception_info"], EXCEPTION)
        message = result["exception_info"]["exception_message"].split("\n")[0]
        result["exception_info"]["exception_message"] = message.replace(str(trial.parents[2].resolve()), "")
    kept: dict[str, object] = {"config.json": config, "result.json": result}
    kept["lock.json"] = {"task": {"name": task, "digest": f"sha256:{digests[task]}"}}
    verdict = trial / "verifier" / "verdict.json"
    if verdict.is_file():
        kept["verifier/verdict.json"] = _only(json.loads(verdict.read_text("utf-8")), VERDICT)
    return kept


def _only(body: dict, names: list[str]) -> dict:
    """The object with these keys only; `a.b` keeps `b` in `a`."""
    kept: dict = {}
    for name in names:
        first, _, rest = name.partition(".")
        if first in body:
            kept[first] = kept.get(first, {}) | _only(body[first], [rest]) if rest else body[first]
    return kept


def main(folder: Path) -> None:
    """Make the tasks and run the job."""
    sys.path.insert(0, str(HERE))
    with tempfile.TemporaryDirectory() as store:
        make_tasks(folder / "tasks", Store(Path(store)))
    asyncio.run(run(folder / "tasks", folder / "jobs"))


if __name__ == "__main__":
    if not (Path(sys.argv[1]) / "jobs").exists():
        main(Path(sys.argv[1]))
    text = json.dumps(pruned(Path(sys.argv[1])), indent=1, sort_keys=True) + "\n"
    (HERE / "job_of_45.json").write_text(text, "utf-8")
