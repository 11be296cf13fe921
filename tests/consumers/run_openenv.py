"""OpenEnv's Harbor bridge over a folder of tasks: `python run_openenv.py TASKS OUT`.

Discovery, trial, capture and choice of the reward are OpenEnv's. Its bridge takes Harbor's sandboxes by type; ours
has none, so the trial's configuration is given the class instead.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from openenv.core.harness.capture.sessions import SessionRegistry
from openenv.harbor import rollout, seams
from openenv.harbor.tasks import HarborTaskProvider, resolve_task_dirs
from submissions import NOP, ORACLE, SCRIPTS

ENVIRONMENT = "lattice_env.adapters.harbor_local:LocalEnvironment"

built = rollout.build_trial_config


def build_trial_config(**words):
    """OpenEnv's configuration, with our environment's class in the place of a type."""
    config = built(**words)
    there = config.environment.model_copy(update={"type": None, "import_path": ENVIRONMENT})
    return config.model_copy(update={"environment": there})


async def run(tasks: Path, out: Path) -> dict[str, dict[str, object]]:
    """What each agent earned on each task."""
    rollout.build_trial_config = build_trial_config
    for name in SCRIPTS:
        path = None if name in (ORACLE, NOP) else f"agents:{name.title()}"
        seams.SEAMS[name] = seams.Seam(name=name, dialect="openai", import_path=path)
    provider = HarborTaskProvider([str(tasks)])
    folders = resolve_task_dirs(str(tasks))
    assert sum(provider.num_tasks(split["name"]) for split in provider.list_splits()) == len(folders)
    earned: dict[str, dict[str, object]] = {}
    for name in SCRIPTS:
        for folder in folders:
            result = await rollout.run_rollout(
                task_dir=folder,
                harness=name,
                sandbox="docker",
                registry=SessionRegistry(),
                intercept_url="http://127.0.0.1:9",
                model="none",
                trials_dir=out,
                capture_level="text",
            )
            found = result.reward if result.reward is not None else f"{result.exception_type}: {result.error}"
            earned.setdefault(name, {})[folder.name] = found
            assert result.reward_key in ("reward", ""), result.reward_key
    return earned


if __name__ == "__main__":
    print(json.dumps(asyncio.run(run(Path(sys.argv[1]), Path(sys.argv[2])))))
