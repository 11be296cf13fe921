"""Harbor trials without a container engine: `harbor run -e lattice_env.adapters.harbor_local:LocalEnvironment`.

For oracle, nop, scripted agents and CI. **Not for untrusted models**: this machine's `/usr` and kernel are what an
agent sees, and neither memory, processors nor disk are limited. Every command has namespaces of its own, without a
network; **background processes die with the command that started them**, so an agent that keeps a shell or a server
between commands does not work here.

The image is not used. FROM and RUN of `environment/Dockerfile` are passed over, and this machine's programs, TeX
included, stand in for what they install; COPY, ENV and WORKDIR are honoured, and any other instruction is an error.
"""

from __future__ import annotations

import asyncio
import shutil
import tarfile
import tempfile
from pathlib import Path, PurePosixPath
from typing import BinaryIO, override

# Harbor ships types but no `py.typed`.
# pyright: reportMissingTypeStubs=false
from harbor.environments.base import BaseEnvironment, ExecResult, transfer_tar_filter
from harbor.environments.capabilities import EnvironmentCapabilities
from harbor.models.trial.paths import EnvironmentPaths

from lattice_env.errors import PackageError, UsageError
from lattice_env.verifier.toolchain import toolchain

from .box import LONGEST_SECONDS, Box, make_box
from .dockerfile import Recipe, copy_files, read_recipe

TRANSFER_SECONDS, TRANSFER_BYTES = 300, 1 << 30

_ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8"}
_TO_FILE = 'to=$1; [ ! -d "$to" ] || to=$to/$2; mkdir -p -- "${to%/*}/" && cat > "$to" && chmod "$3" -- "$to"'
_TO_FOLDER = 'mkdir -p -- "$1" && exec tar -x -p --no-same-owner -C "$1" -f -'
_FROM_FILE = '[ -f "$1" ] || { echo "$1: no such file" >&2; exit 1; }; exec cat -- "$1"'
_FROM_FOLDER = 'exec tar -c -C "$1" -f - .'


class LocalEnvironment(BaseEnvironment):
    """One trial's environment, or its verifier's: a box, from `start` to `stop`."""

    _box: Box | None = None
    _recipe: Recipe
    _path: str
    """Where commands look for programs, TeX's own folder included."""
    transfer_bytes: int = TRANSFER_BYTES
    """The most that one upload or download may hold."""

    @staticmethod
    @override
    def type() -> str:
        return "lattice-local"

    @property
    @override
    def capabilities(self) -> EnvironmentCapabilities:
        return EnvironmentCapabilities(disable_internet=True)

    @property
    def _dockerfile(self) -> Path:
        return self.environment_dir / "Dockerfile"

    @override
    def _validate_definition(self) -> None:
        """Nothing: an error here would end the whole job, one in `start` ends this trial."""

    def _check_request(self) -> None:
        if not self._network_disabled:
            message = f"{self.environment_name}: a task whose network_mode is not no-network does not run here"
            raise UsageError(message)
        if getattr(self, "_host_mounts", ()):  # Harbor 0.24 mounts nothing of its own accord, and keeps no such list
            message = "folders of this machine cannot be mounted here"
            raise UsageError(message)
        if not self._dockerfile.is_file():
            message = f"{self._dockerfile}: no such file"
            raise PackageError(message)

    @override
    async def start(self, force_build: bool) -> None:
        """Make the box and fill it as the Dockerfile says."""
        self.logger.warning(
            "%s: bubblewrap over this machine's own programs, for oracle, nop and scripted agents: "
            "not for untrusted models",
            self.session_id,
        )
        self._check_request()
        self._recipe = read_recipe(self._dockerfile)
        tools = await asyncio.to_thread(toolchain)
        self._path = f"{tools.search_path()}:/usr/local/bin:/usr/sbin:/sbin"
        self._box = make_box(tools.trees)  # from here to the end of the copies nothing is awaited: `stop` can clean
        copy_files(self._recipe, self.environment_dir, self._box.root)
        paths = EnvironmentPaths()
        folders = [paths.agent_dir, paths.verifier_dir, paths.artifacts_dir, *self._mount_targets(), self._workdir]
        for folder in folders:
            (self._box.root / str(folder).lstrip("/")).mkdir(parents=True, exist_ok=True)
        await self._shell("true", "bubblewrap")

    @override
    async def stop(self, delete: bool) -> None:
        """End every program; `delete` removes the box."""
        box, self._box = self._box, None
        if box is None:
            return
        if delete:
            box.remove()
        else:
            box.end()
            self.logger.info("%s: kept in %s", self.session_id, box.root)

    @property
    def _workdir(self) -> str:
        return self.task_env_config.workdir or self._recipe.workdir

    @override
    async def exec(
        self,
        command: str,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        timeout_sec: int | None = None,
        user: str | int | None = None,
    ) -> ExecResult:
        """Run a command of a shell as root; RuntimeError when its time is over, as Harbor's Docker has it."""
        wanted = self._resolve_user(user)
        if wanted not in {None, "root", "0", 0}:
            message = f"user {wanted!r}: everything runs as root here"
            raise UsageError(message)
        environment = {**_ENVIRONMENT, "PATH": self._path, **self._recipe.environment}
        environment |= self._merge_env(env) or {}
        words = ["/bin/bash", "-c", command]
        try:
            ended = await self._started.run(words, environment, folder=cwd or self._workdir, seconds=timeout_sec)
        except TimeoutError:
            message = f"Command timed out after {timeout_sec or LONGEST_SECONDS} seconds"
            raise RuntimeError(message) from None
        if ended.cut:
            self.logger.warning("%s: more output than is kept: %s", self.session_id, command[:200])
        return ExecResult(stdout=ended.output, stderr=ended.errors, return_code=ended.code)

    @override
    async def upload_file(self, source_path: Path | str, target_path: str) -> None:
        """Put a file of this machine at a path, or into the folder that stands there."""
        with tempfile.TemporaryFile() as file:
            name, mode = await asyncio.to_thread(_read_file, Path(source_path), file)
            await self._shell(_TO_FILE, _absolute(target_path), name, mode, source=file)

    @override
    async def upload_dir(self, source_dir: Path | str, target_dir: str) -> None:
        """Put what a folder of this machine holds into a folder, over what stands there."""
        with tempfile.TemporaryFile() as file:
            await asyncio.to_thread(_pack, Path(source_dir), file)
            await self._shell(_TO_FOLDER, _absolute(target_dir), source=file)

    @override
    async def download_file(self, source_path: str, target_path: Path | str) -> None:
        """Write a regular file of the box to a path of this machine."""
        with tempfile.TemporaryFile() as file:
            await self._shell(_FROM_FILE, _absolute(source_path), sink=file)
            await asyncio.to_thread(_write_file, file, Path(target_path))

    @override
    async def download_dir(self, source_dir: str, target_dir: Path | str) -> None:
        """Write what a folder of the box holds into a folder of this machine.

        Links that lead out of it and special files are left out, as Harbor itself leaves them out later.
        """
        with tempfile.TemporaryFile() as file:
            await self._shell(_FROM_FOLDER, _absolute(source_dir), sink=file)
            await asyncio.to_thread(_unpack, file, Path(target_dir))

    @property
    def _started(self) -> Box:
        if self._box is None:
            message = f"{self.session_id}: the environment is not running"
            raise RuntimeError(message)
        return self._box

    async def _shell(
        self, script: str, *arguments: str, source: BinaryIO | None = None, sink: BinaryIO | None = None
    ) -> None:
        """Run a script of ours, which no link that an agent left leads out of the box; RuntimeError where it fails."""
        words = ["/bin/sh", "-c", script, "sh", *arguments]
        ended = await self._started.run(
            words, _ENVIRONMENT, seconds=TRANSFER_SECONDS, source=source, sink=sink, most=self.transfer_bytes
        )
        if ended.code or ended.cut:
            why = ended.errors.strip() or ("too large" if ended.cut else f"exit code {ended.code}")
            message = f"{self.session_id}: {arguments[:1]}: {why}"
            raise RuntimeError(message)


def _absolute(path: str) -> str:
    return str(PurePosixPath("/") / path)


def _read_file(source: Path, file: BinaryIO) -> tuple[str, str]:
    """Copy `source` into `file`; its name and its mode."""
    with source.open("rb") as data:
        shutil.copyfileobj(data, file)
    file.seek(0)
    return source.name, f"{source.stat().st_mode & 0o777:o}"


def _write_file(file: BinaryIO, target: Path) -> None:
    file.seek(0)
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("wb") as data:
        shutil.copyfileobj(file, data)


def _pack(folder: Path, file: BinaryIO) -> None:
    with tarfile.open(fileobj=file, mode="w") as archive:
        archive.add(folder, arcname=".")
    file.seek(0)


def _unpack(file: BinaryIO, folder: Path) -> None:
    file.seek(0)
    folder.mkdir(parents=True, exist_ok=True)
    with tarfile.open(fileobj=file, mode="r:") as archive:
        archive.extractall(folder, filter=_lawful)  # noqa: S202 - the filter is the check


def _lawful(member: tarfile.TarInfo, folder: str) -> tarfile.TarInfo | None:
    try:
        return transfer_tar_filter(member, folder)
    except tarfile.FilterError:
        return None
