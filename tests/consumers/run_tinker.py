"""Tinker cookbook's Harbor loader and grader over a folder of tasks, in a jail: `python run_tinker.py TASKS OUT`.

Loader, upload of tests, grading and reading of the reward are the cookbook's. Its sandbox is Modal's; here it is the
jail that this runs in, which `/app`, `/tests` and `/logs` are swept of before each episode.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
from pathlib import Path

from submissions import ORACLE, SCRIPTS
from tinker_cookbook.recipes.harbor_rl import harbor_env
from tinker_cookbook.recipes.harbor_rl.harbor_tools import HarborBashTool, HarborReward
from tinker_cookbook.sandbox import SandboxInterface
from tinker_cookbook.sandbox.sandbox_interface import SandboxResult


class Jail:
    """A sandbox of the cookbook: commands and files of this very root."""

    sandbox_id = "jail"

    async def send_heartbeat(self, timeout=30):
        """Nothing."""

    async def run_command(self, command, workdir=None, timeout=60, max_output_bytes=None):
        """Run a command of a shell."""
        done = subprocess.run(
            ["bash", "-c", command], cwd=workdir or "/app", capture_output=True, timeout=timeout, check=False
        )
        out, err = (
            data.decode("utf-8", "replace")[: max_output_bytes or 1 << 17] for data in (done.stdout, done.stderr)
        )
        return SandboxResult(stdout=out, stderr=err, exit_code=done.returncode)

    async def read_file(self, path, max_bytes=None, timeout=60):
        """What `cat` says."""
        return await self.run_command(f"cat '{path}'", "/", timeout, max_bytes)

    async def write_file(self, path, content, executable=False, timeout=60):
        """Write a file, over what stands there."""
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_bytes(content if isinstance(content, bytes) else content.encode())
        Path(path).chmod(0o755 if executable else 0o644)
        return SandboxResult(stdout="", stderr="", exit_code=0)

    async def cleanup(self):
        """Nothing."""


def prepare(task: harbor_env.HarborTask, *, solved: bool) -> None:
    """What the image of a task would hold; the solution too where the agent is the oracle."""
    for name in ("app", "tests", "logs", "solution"):
        subprocess.run(["rm", "-rf", f"/{name}"], check=True)
    shutil.copytree(task.task_dir / "environment" / "workspace", "/app")
    if solved:
        shutil.copytree(task.task_dir / "solution", "/solution")


async def run(tasks: Path) -> dict[str, dict[str, object]]:
    """What each agent earned on each task."""
    harbor_env.HARBOR_CACHE_DIR = tasks.parent
    earned: dict[str, dict[str, object]] = {}
    for name, script in SCRIPTS.items():
        for task in harbor_env.load_harbor_tasks(tasks.name):
            assert task.instruction
            assert (task.task_dir / "environment" / "Dockerfile").is_file()
            prepare(task, solved=name == ORACLE)
            sandbox = Jail()
            assert isinstance(sandbox, SandboxInterface)
            done = await HarborBashTool(sandbox)._sandbox.run_command(script)  # noqa: SLF001 - what its tool calls
            assert done.exit_code == 0, done.stderr
            reward, metrics = await HarborReward(task.task_dir / "tests", sandbox)([])
            earned.setdefault(name, {})[task.task_name] = "grading error" if "grading_error" in metrics else reward
    return earned


if __name__ == "__main__":
    print(json.dumps(asyncio.run(run(Path(sys.argv[1])))))
