"""Harbor's own job over a folder of tasks, in the local environment: `python run_harbor.py TASKS OUT`."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from harbor.job import Job
from harbor.models.job.config import DatasetConfig, JobConfig
from harbor.models.trial.config import AgentConfig, EnvironmentConfig
from submissions import NOP, ORACLE, SCRIPTS

ENVIRONMENT = "lattice_env.adapters.harbor_local:LocalEnvironment"


def agent(name: str) -> AgentConfig:
    """Harbor's own oracle and nop; ours for the rest."""
    return AgentConfig(name=name) if name in (ORACLE, NOP) else AgentConfig(import_path=f"agents:{name.title()}")


async def run(tasks: Path, out: Path) -> None:
    """Every agent on every task."""
    config = JobConfig(
        job_name="job",
        jobs_dir=out,
        n_concurrent_trials=2,
        quiet=True,
        agents=[agent(name) for name in SCRIPTS],
        datasets=[DatasetConfig(path=tasks)],
        environment=EnvironmentConfig(import_path=ENVIRONMENT),
    )
    await (await Job.create(config)).run()


def main(tasks: Path, out: Path) -> None:
    """Print what each agent earned on each task."""
    asyncio.run(run(tasks, out))
    earned: dict[str, dict[str, object]] = {}
    for path in (out / "job").glob("*/result.json"):
        result = json.loads(path.read_text("utf-8"))
        rewards = (result["verifier_result"] or {}).get("rewards") or {}
        found = rewards.get("reward", str(result["exception_info"])[:300])
        name = result["task_name"].rpartition("/")[2]
        earned.setdefault(result["agent_info"]["name"], {})[name] = found
    print(json.dumps(earned))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
