"""Lattice's task folders as a taskset for verifiers: `vf-eval lattice-harbor --env.taskset.path TASKS`.

verifiers' own Harbor taskset builds no Dockerfiles and puts no workspace into the published image that ours begin
with. This one takes the image from the Dockerfile's FROM and uploads the workspace; all else is verifiers' own.
"""

from __future__ import annotations

import io
import tarfile
from collections.abc import Iterator
from pathlib import Path

import verifiers.v1 as vf
from verifiers.v1.runtimes import Runtime
from verifiers.v1.tasksets.harbor import HarborConfig, HarborEnv, HarborTask
from verifiers.v1.tasksets.harbor.taskset import parse_task

__all__ = ["HarborEnv", "LatticeHarborTaskset"]


class LatticeHarborConfig(HarborConfig):
    """Where the tasks lie; every other setting is verifiers' own."""

    path: Path = Path("tasks")
    """A folder that `lattice-env generate --out` wrote."""
    ignore_dockerfile: bool = True


class LatticeHarborTask(HarborTask):
    """A task whose workspace is uploaded, in the agent's box and in the verifier's."""

    async def setup(self, runtime: Runtime) -> None:
        """Put the workspace where the Dockerfile would copy it."""
        workspace = Path(self.data.task_dir) / "environment" / "workspace"
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode="w") as archive:
            archive.add(workspace, arcname=".")
        await runtime.write("/root/workspace.tar", buffer.getvalue())
        script = "mkdir -p /app && tar --no-same-owner -xf /root/workspace.tar -C /app && rm /root/workspace.tar"
        done = await runtime.run(["sh", "-c", script], {})
        if done.exit_code:
            message = f"the workspace cannot be put into the box: {done.stderr.strip()[-500:]}"
            raise RuntimeError(message)
        await super().setup(runtime)


class LatticeHarborTaskset(vf.Taskset[LatticeHarborTask, LatticeHarborConfig]):
    """Every task of a folder, by name."""

    def load(self) -> Iterator[LatticeHarborTask]:
        """The tasks, each with the image that its Dockerfile begins with where that is a published one."""
        folders = sorted(path.parent for path in self.config.path.resolve().glob("*/task.toml"))
        if not folders:
            message = f"{self.config.path}: no task folders"
            raise ValueError(message)
        for index, folder in enumerate(folders):
            if self.config.tasks is None or folder.name in self.config.tasks:
                data = parse_task(folder, index, self.config)
                yield LatticeHarborTask(data.model_copy(update={"image": published_image(folder)}), self.config.task)


def published_image(folder: Path) -> str | None:
    """The image of a task that adds nothing but its workspace to one; None where the task builds its own."""
    lines = (folder / "environment" / "Dockerfile").read_text("utf-8").splitlines()
    words = [line.split() for line in lines if line.strip() and not line.startswith("#")]
    if [line[0].upper() for line in words] != ["FROM", "COPY", "WORKDIR"]:
        return None
    return words[0][1]
