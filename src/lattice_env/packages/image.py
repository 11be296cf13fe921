"""Images of a toolchain: built by docker or podman, and asked for their fingerprint."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from lattice_env.errors import LatticeError, MissingTool, UsageError
from lattice_env.verifier.toolchain import find_tool, toolchain
from lattice_env.verifier.verdict import InfraError

from .harbor import DOCKER, VERIFIER

ENGINES = ("docker", "podman")
WRITTEN = "/etc/lattice-toolchain.json"
"""Where an image keeps the fingerprint that was taken when it was built."""

_MOUNTED = "/mnt/lattice"
_RECORD = f"""\
RUN --mount=type=bind,target={_MOUNTED} python3 -I -S {_MOUNTED}/fingerprint.py > {WRITTEN}
"""
_BUILD_SECONDS, _ASK_SECONDS = 7200, 300


def image_names() -> list[str]:
    """The images that can be built."""
    return sorted(path.name.removesuffix(".Dockerfile") for path in DOCKER.glob("*.Dockerfile"))


def find_engine(name: str | None = None) -> str:
    """The path of docker or podman, or of the one that is named; MissingTool where none answers."""
    if name is not None and name not in ENGINES:
        message = f"no engine is called {name!r}"
        raise UsageError(message, hint=f"known: {', '.join(ENGINES)}")
    for each in [name] if name else ENGINES:
        path = find_tool(each)
        if path and _answers(path):
            return path
    message = f"no container engine answers on this machine: {name or ' or '.join(ENGINES)}"
    raise MissingTool(message, hint="Debian: apt-get install podman; https://docs.docker.com/engine/")


def _answers(engine: str) -> bool:
    """Whether an engine is at work behind its client."""
    try:
        done = subprocess.run([engine, "info"], capture_output=True, env=os.environ, timeout=60, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def build_image(name: str, tag: str, engine: str, *, arguments: Mapping[str, str], network: str = "") -> None:
    """Build an image under `tag`, its fingerprint written into it; the engine's words go to stderr.

    `arguments` are the Dockerfile's own (`BASE`, `ARCHIVE`, `DAY`). LatticeError where the engine fails.
    """
    if name not in image_names():
        message = f"no image is called {name!r}"
        raise UsageError(message, hint=f"known: {', '.join(image_names())}")
    with _context() as folder:
        text = (DOCKER / f"{name}.Dockerfile").read_text("utf-8")
        (folder / "Dockerfile").write_text(text + _RECORD, "utf-8")
        words = [engine, "build", "--tag", tag, *(["--network", network] if network else [])]
        words += [word for key, value in arguments.items() for word in ("--build-arg", f"{key}={value}")]
        _run([*words, str(folder)], _BUILD_SECONDS, output=sys.stderr.fileno())


def image_fingerprint(image: str, engine: str) -> str:
    """The fingerprint of an image's toolchain, taken in a container without a network.

    LatticeError where the engine fails, or where the image says another of itself: then it was changed since.
    """
    run = [engine, "run", "--rm", "--network", "none", "--entrypoint"]
    with _context() as folder:
        mount = ["-v", f"{folder}:{_MOUNTED}:ro"]
        asked = [*run, "python3", *mount, image, "-I", "-S", f"{_MOUNTED}/fingerprint.py"]
        found = json.loads(_run(asked, _ASK_SECONDS))["fingerprint"]
    written = _run([*run, "sh", image, "-c", f"cat {WRITTEN} 2>/dev/null || echo '{{}}'"], _ASK_SECONDS)
    said = json.loads(written).get("fingerprint", found)
    if said != found:
        message = f"{image}: its toolchain is {found[:12]}, and was {said[:12]} when it was built"
        raise LatticeError(message, hint="build it again; or it was built by another version of lattice-env")
    return str(found)


def own_fingerprint() -> str:
    """The fingerprint of this machine's toolchain; MissingTool where it has none."""
    try:
        return toolchain().fingerprint
    except InfraError as error:
        raise MissingTool(str(error), hint="lattice-env doctor says more") from error


@contextmanager
def _context() -> Generator[Path]:
    """A folder with the verifier and the script that asks it: what is built from, and what is mounted."""
    with tempfile.TemporaryDirectory(prefix="lattice-image-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(VERIFIER, folder / "lattice_verifier", ignore=ignored)
        shutil.copy(DOCKER / "fingerprint.py", folder)
        yield folder


def _run(command: Sequence[str], seconds: int, *, output: int = subprocess.PIPE) -> str:
    """What an engine prints; LatticeError where it fails. Where engines listen is written in the environment."""
    try:
        done = subprocess.run(  # noqa: S603 - a list, an engine's path
            command, stdin=subprocess.DEVNULL, stdout=output, env=os.environ, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired as error:
        message = f"{command[0]} {command[1]}: not done after {seconds} s"
        raise LatticeError(message) from error
    if done.returncode:
        message = f"{command[0]} {command[1]} failed with exit code {done.returncode}"
        raise LatticeError(message, hint="what it said stands above")
    return done.stdout.decode("utf-8", "replace") if done.stdout else ""
