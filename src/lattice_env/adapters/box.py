"""A folder that stands in for a container: programs see it as `/`, with this machine's own programs to read.

Each program has namespaces of its own, without a network. When it ends, is cancelled or runs out of time, every
process that it started is gone before `Box.run` returns. That rests on a property of Linux: the first process of
a process namespace is reported dead only after all others in it are.
"""

from __future__ import annotations

import asyncio
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from lattice_env.errors import MissingTool
from lattice_env.verifier.toolchain import find_tool

MOST_OUTPUT = 4 << 20
"""Bytes of each stream of a program that are kept; the rest is read and dropped."""
LONGEST_SECONDS = 3600
"""The time-out of a program that was given none."""
END_SECONDS = 10
"""How long killed processes may take to be gone."""

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64")
_ETC = ("/etc/alternatives", "/etc/ld.so.cache", "/etc/perl", "/etc/texmf", "/var/lib/dpkg/status")
"""The last is what the toolchain's fingerprint reads Debian's versions from."""
_FILES = {
    "etc/passwd": "root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n",
    "etc/group": "root:x:0:\nnogroup:x:65534:\n",
    "etc/hosts": "127.0.0.1 localhost\n",
}
_UNSHARED = ("--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts")
_ENDS = ("--die-with-parent", "--new-session")
_ROOT = ("--uid", "0", "--gid", "0", "--hostname", "lattice", "--cap-drop", "ALL")
_CAPABILITIES = ("--cap-add", "CAP_DAC_OVERRIDE", "--cap-add", "CAP_SETFCAP")
"""Root of a container reads every file of its own, and may start a bubblewrap of its own."""


@dataclass(frozen=True)
class Ended:
    """How a program ended: its exit code, 128 more than the signal where one ended it; what it wrote."""

    code: int
    output: str
    errors: str
    cut: bool
    """Whether more was written than is kept."""


@dataclass
class _Running:
    """A program and the first process of its namespace."""

    process: subprocess.Popen[bytes]
    first: int
    """A descriptor of that process, or -1 where there never was one."""

    def end(self) -> None:
        """Kill all its processes, and come back when they are gone. Blocks, so that no cancellation cuts it short."""
        if self.first >= 0:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.first, signal.SIGKILL)
            waiter = select.poll()
            waiter.register(self.first, select.POLLIN)
            waiter.poll(END_SECONDS * 1000)
        with suppress(ProcessLookupError):
            if self.process.returncode is None and self.first < 0:
                os.killpg(self.process.pid, signal.SIGKILL)
        try:
            self.process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def forget(self) -> None:
        """Close the descriptor."""
        if self.first >= 0:
            os.close(self.first)
            self.first = -1


@dataclass
class Box:
    """A scratch folder, and the programs that run in it."""

    scratch: Path
    words: tuple[str, ...]
    """The bubblewrap command, up to the program."""
    running: list[_Running] = field(default_factory=list[_Running])

    @property
    def root(self) -> Path:
        """The folder that programs see as `/`."""
        return self.scratch / "root"

    async def run(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        *,
        folder: str = "/",
        seconds: float | None = None,
        source: BinaryIO | None = None,
        sink: BinaryIO | None = None,
        most: int = MOST_OUTPUT,
    ) -> Ended:
        """Run `command` in `folder`, `source` its input and `sink` its output; TimeoutError when its time is over."""
        running = self._start(command, environment, folder, source)
        output, errors = sink or BytesIO(), BytesIO()
        process = running.process
        pipes = [pipe for pipe in (process.stdout, process.stderr) if pipe]
        sinks = ((output, most), (errors, MOST_OUTPUT))
        readers = [asyncio.ensure_future(_read(pipe.fileno(), *kept)) for pipe, kept in zip(pipes, sinks, strict=True)]
        try:
            async with asyncio.timeout(seconds or LONGEST_SECONDS):
                await _exit_of(process)
            running.end()
            cut = await asyncio.gather(*readers)
        finally:
            running.end()
            running.forget()
            self.running.remove(running)
            for reader in readers:
                reader.cancel()
            for pipe in pipes:
                pipe.close()
        text = output.getvalue() if isinstance(output, BytesIO) else b""
        return Ended(process.returncode, _text(text), _text(errors.getvalue()), any(cut))

    def _start(
        self, command: Sequence[str], environment: Mapping[str, str], folder: str, source: BinaryIO | None
    ) -> _Running:
        read, write = os.pipe()
        words = [*self.words, "--info-fd", str(write), "--chdir", folder, "--", *command]
        with os.fdopen(read, "rb") as info:
            try:
                process = subprocess.Popen(  # noqa: S603 - a list; what it runs is the box's purpose
                    words,
                    cwd="/",
                    env=dict(environment),
                    stdin=subprocess.DEVNULL if source is None else source,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    pass_fds=(write,),
                    start_new_session=True,
                )
            finally:
                os.close(write)
            running = _Running(process, _first_process(info.read()))
        self.running.append(running)
        return running

    def end(self) -> None:
        """End every program that still runs."""
        for running in list(self.running):
            running.end()

    def remove(self) -> None:
        """End every program and remove the folder, whatever modes its folders have."""
        self.end()
        for tool, *options in (["rm", "-rf"], ["chmod", "-R", "u+rwX"], ["rm", "-rf"]):
            if self.scratch.exists():
                subprocess.run(  # noqa: S603 - a list, a path of our own
                    [find_tool(tool) or tool, *options, "--", str(self.scratch)],
                    env={"PATH": "/usr/bin:/bin"},
                    capture_output=True,
                    timeout=120,
                    check=False,
                )
        if self.scratch.exists():
            message = f"{self.scratch}: cannot be removed"
            raise OSError(message)


def make_box(trees: Iterable[str]) -> Box:
    """An empty box in a new scratch folder, with `trees` and the system's programs to read.

    MissingTool where bubblewrap is not installed.
    """
    bubblewrap = find_tool("bwrap")
    if bubblewrap is None:
        message = "bubblewrap (bwrap) is not on this machine: apt-get install bubblewrap"
        raise MissingTool(message)  # harnesses print no hints
    scratch = Path(tempfile.mkdtemp(prefix="lattice-box-"))
    try:
        words = [bubblewrap, *_UNSHARED, *_ENDS, *_ROOT, *_CAPABILITIES, *_mounts(scratch, trees)]
    except BaseException:
        shutil.rmtree(scratch, ignore_errors=True)
        raise
    return Box(scratch, tuple(words))


def _mounts(scratch: Path, trees: Iterable[str]) -> list[str]:
    """The mounts: the root to write; everything of this machine below a mount that no program can move away."""
    root, fixed = scratch / "root", scratch / "fixed"
    for name in ("root", "run", "tmp"):
        (root / name).mkdir(parents=True)
    (root / "tmp").chmod(0o1777)
    for name, text in _FILES.items():
        (fixed / name).parent.mkdir(parents=True, exist_ok=True)
        (fixed / name).write_text(text, "utf-8")
    (fixed / "var").mkdir()
    (fixed / "var" / "tmp").symlink_to("/tmp")  # noqa: S108 - inside the box
    inner = [name for name in dict.fromkeys([*_ETC, *trees]) if not name.startswith("/usr/") and Path(name).exists()]
    for name in inner:
        place = fixed / name.lstrip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.mkdir(exist_ok=True) if Path(name).is_dir() else place.touch()
    words = ["--bind", str(root), "/"]
    words += [word for name in _SYSTEM if Path(name).is_dir() for word in ("--ro-bind", name, name)]
    words += [word for top in sorted(fixed.iterdir()) for word in ("--ro-bind", str(top), f"/{top.name}")]
    words += [word for name in inner for word in ("--ro-bind", name, name)]
    return [*words, "--proc", "/proc", "--dev", "/dev"]


def _first_process(info: bytes) -> int:
    """A descriptor of the process that bubblewrap names, or -1 where it named none or that one is gone."""
    try:
        return os.pidfd_open(json.loads(info)["child-pid"])
    except (ValueError, KeyError, ProcessLookupError):
        return -1


async def _exit_of(process: subprocess.Popen[bytes]) -> None:
    """Come back when a process has ended; it is not reaped."""
    descriptor = os.pidfd_open(process.pid)
    try:
        await _readable(descriptor)
    finally:
        os.close(descriptor)


async def _readable(descriptor: int) -> None:
    loop = asyncio.get_running_loop()
    ready = loop.create_future()
    loop.add_reader(descriptor, lambda: ready.done() or ready.set_result(None))
    try:
        await ready
    finally:
        loop.remove_reader(descriptor)


async def _read(descriptor: int, sink: BinaryIO, most: int) -> bool:
    """Read a pipe to its end, the first `most` bytes into `sink`; whether there were more."""
    size = 0
    os.set_blocking(descriptor, False)
    while True:
        await _readable(descriptor)
        data = os.read(descriptor, 1 << 16)
        if not data:
            return size > most
        sink.write(data[: max(most - size, 0)])
        size += len(data)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
