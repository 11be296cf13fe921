"""Running one program over hostile input: nothing inherited, everything limited, nothing left behind."""

from __future__ import annotations

import contextlib
import functools
import os
import resource
import shutil
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .toolchain import Toolchain
from .verdict import InfraError

BUBBLEWRAP, LIMITS = "bubblewrap", "limits"

WALL_SECONDS, CPU_SECONDS = 25, 20
LEAST_SHARE = 0.25
"""Of a processor, that a program must have had when its wall time is up, for that to be its own fault."""
FILE_BYTES, MEMORY_BYTES = 64 << 20, 3 << 30
PROCESSES = 4096

EPOCH = "1700000000"
BUILD, HOME = "/build", "/home/build"

_ISOLATED = ("--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL")
_MOUNTS = ("--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp")  # noqa: S108 - inside the box
_SYSTEM = (
    "/usr",
    "/bin",
    "/lib",
    "/lib64",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/perl",
    "/etc/texmf",
)


@dataclass(frozen=True)
class Run:
    """How one program ended: its exit code, or -1 with `timed_out`."""

    code: int
    timed_out: bool


@functools.cache
def kind() -> str:
    """Which sandbox works here: bubblewrap, or process limits alone."""
    bwrap = _bwrap()
    if bwrap is None:
        return LIMITS
    probe = [bwrap, "--ro-bind", "/", "/", *_ISOLATED, *_MOUNTS, "/bin/true"]
    try:
        done = subprocess.run(probe, capture_output=True, timeout=20, env={}, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return LIMITS
    return BUBBLEWRAP if done.returncode == 0 else LIMITS


def _bwrap() -> str | None:
    return next((path for path in ("/usr/bin/bwrap", "/bin/bwrap") if Path(path).is_file()), None)


def environment(tools: Toolchain, home: str) -> dict[str, str]:
    """The whole environment of a build, made from nothing."""
    return {
        "PATH": tools.search_path(),
        "HOME": home,
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "SOURCE_DATE_EPOCH": EPOCH,
        "FORCE_SOURCE_DATE": "1",
        "openin_any": "p",
        "openout_any": "p",
        "shell_escape": "f",
        "TEXFORMATS": tools.formats,
        "TEXMFCNF": tools.configs,
        "TEXMFHOME": f"{home}/texmf",
        "TEXMFVAR": f"{home}/texmf-var",
        "TEXMFCONFIG": f"{home}/texmf-config",
        "MKTEXPK": "0",
        "MKTEXTFM": "0",
        "max_print_line": "10000",
        "error_line": "254",
        "half_error_line": "238",
    }


def run(command: Sequence[str], tree: Path, tools: Toolchain, output: Path, frozen: Sequence[str] = ()) -> Run:
    """Run `command` in `tree`, its output to the file `output`; all its processes are ended.

    `frozen` are files of the tree that the program may read and not write, where bubblewrap works.
    Raises InfraError where the program cannot be started, and where it ran out of time because the machine was
    busy with other things.
    """
    boxed = kind() == BUBBLEWRAP
    home = HOME if boxed else str(tree.parent / "home")
    words = [*_box(tree, tools, frozen), *command] if boxed else list(command)
    with output.open("wb") as sink:
        try:
            process = subprocess.Popen(  # noqa: S603 - a list, absolute paths
                words,
                cwd=tree,
                env=environment(tools, home),
                stdin=subprocess.DEVNULL,
                stdout=sink,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=_limit,  # noqa: PLW1509 - the verifier starts no threads
            )
        except OSError as error:
            message = f"{words[0]} cannot be started: {error}"
            raise InfraError(message) from error
        try:
            return Run(process.wait(WALL_SECONDS), timed_out=False)
        except subprocess.TimeoutExpired:
            _check_share(_cpu_seconds(process.pid))
            return Run(-1, timed_out=True)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _check_share(seconds: float | None) -> None:
    """InfraError where what ran out of time had hardly been run: no document can make TeX wait."""
    if seconds is not None and seconds < LEAST_SHARE * WALL_SECONDS:
        message = f"this machine is too busy: {seconds:.1f} s of processor time in {WALL_SECONDS} s"
        raise InfraError(message)


def _cpu_seconds(root: int) -> float | None:
    """The processor time of a process and all below it, those that have ended included; None where nothing tells."""
    if not Path("/proc/self/stat").is_file():
        return None
    below: dict[int, list[int]] = {}
    ticks: dict[int, int] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it may end while we look
            fields = path.read_text("utf-8", "replace").rpartition(")")[2].split()
            number = int(path.parent.name)
            below.setdefault(int(fields[1]), []).append(number)
            ticks[number] = sum(map(int, fields[11:15]))
    todo, total = [root], 0
    while todo:
        number = todo.pop()
        total += ticks.get(number, 0)
        todo += below.get(number, [])
    return total / os.sysconf("SC_CLK_TCK")


def _limit() -> None:
    limits = (
        (resource.RLIMIT_CPU, CPU_SECONDS),
        (resource.RLIMIT_FSIZE, FILE_BYTES),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_AS, MEMORY_BYTES),
        (resource.RLIMIT_NPROC, PROCESSES),
    )
    for name, value in limits:
        hard = resource.getrlimit(name)[1]
        bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(name, (bound, bound))


def _box(tree: Path, tools: Toolchain, frozen: Sequence[str]) -> list[str]:
    """The bubblewrap command: TeX's trees and the system's programs to read, the tree to write."""
    words = [str(_bwrap()), *_ISOLATED]
    for name in _SYSTEM:
        path = Path(name)
        if path.is_symlink():
            words += ["--symlink", str(path.readlink()), name]
        elif path.exists():
            words += ["--ro-bind", name, name]
    for name in tools.trees:
        if not name.startswith(("/usr/", "/etc/texmf")):
            words += ["--ro-bind", name, name]
    words += [*_MOUNTS, "--dir", HOME, "--bind", str(tree), BUILD]
    for name in frozen:
        words += ["--ro-bind", str(tree / name), f"{BUILD}/{name}"]
    return [*words, "--chdir", BUILD, "--"]


def room_left(folder: Path) -> bool:
    """Whether the disk under `folder` has room for a build's products."""
    return shutil.disk_usage(folder).free > FILE_BYTES
