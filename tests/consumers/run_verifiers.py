"""verifiers' Harbor taskset over a folder of tasks, in a jail: `python run_verifiers.py TASKS OUT`.

Parsing, artifacts, the separate verifier's staging and the reading of the reward are verifiers'. Its containers are
the jail that this runs in: the verifier's box is the agent's, swept.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Literal

import verifiers.v1 as vf
from lattice_harbor import LatticeHarborConfig, LatticeHarborTaskset
from submissions import ORACLE, SCRIPTS
from verifiers.v1.runtimes.subprocess import SubprocessConfig, SubprocessRuntime
from verifiers.v1.state import state_cls
from verifiers.v1.tasksets.harbor.taskset import verifier_box_data
from verifiers.v1.trace import Trace, TraceTask


class JailConfig(SubprocessConfig):
    """A runtime of this very root, which is nobody's machine."""

    type: Literal["jail"] = "jail"
    workdir: str = "/app"


async def box() -> SubprocessRuntime:
    """An empty box: a fresh one each for the agent and for the verifier."""
    for name in ("app", "tests", "logs", "solution"):
        subprocess.run(["rm", "-rf", f"/{name}"], check=True)
    Path("/app").mkdir()
    runtime = SubprocessRuntime(SubprocessConfig())
    runtime.config = JailConfig()
    await runtime.start()
    return runtime


async def attempt(task, script: str, *, solved: bool) -> object:
    """One episode as HarborEnv has it: solve, collect, fresh box, restore, stage, grade."""
    trace = Trace(
        task=TraceTask(type=type(task).__name__, data=task.data, key=task.key, hash=task.hash),
        state=state_cls(type(task))(),
        agent=vf.AgentInfo(config=vf.AgentConfig(), name="scripted", trainable=False),
    )
    agent = await box()
    await task.setup(agent)
    if solved:
        shutil.copytree(Path(task.data.task_dir) / "solution", "/solution")
    done = await agent.run(["bash", "-c", script], {})
    assert done.exit_code == 0, done.stderr
    await task.finalize(trace, agent)
    await agent.stop()
    grader = type(task)(verifier_box_data(task.data), task.config)
    judge = await box()
    await grader.setup(judge)
    await vf.restore(judge, dict(trace.state.artifacts))
    await grader.stage_verifier(trace, judge)
    scores = await grader.run_verifier(judge, trace)
    await judge.stop()
    return scores["reward"]


async def run(tasks: Path) -> dict[str, dict[str, object]]:
    """What each agent earned on each task."""
    taskset = LatticeHarborTaskset(LatticeHarborConfig(id="lattice-harbor", path=tasks))
    earned: dict[str, dict[str, object]] = {}
    for task in taskset.load():
        assert task.data.verifier is not None, "the task asks for a separate verifier"
        assert task.data.network_allow == []
        for name, script in SCRIPTS.items():
            found = await attempt(task, script, solved=name == ORACLE)
            earned.setdefault(name, {})[Path(task.data.task_dir).name] = found
    return earned


if __name__ == "__main__":
    print(json.dumps(asyncio.run(run(Path(sys.argv[1])))))
