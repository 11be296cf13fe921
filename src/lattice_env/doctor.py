"""The parts of this machine that the package leans on: which are there, and what lacks without them."""

from __future__ import annotations

import contextlib
import importlib.metadata
import os
import platform
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lattice_env.verifier import sandbox
from lattice_env.verifier.toolchain import find_tool, toolchain
from lattice_env.verifier.verdict import InfraError

OLDEST_PYTHON = (3, 12)

_SECONDS = 5
_TEX_HINT = "Debian: scripts/setup; macOS: MacTeX, https://tug.org/mactex/; else https://tug.org/texlive/"


@dataclass(frozen=True)
class Part:
    """One thing of the machine, and what its absence costs."""

    name: str
    found: str
    """A version or a path; empty where there is none."""
    ok: bool
    needed: bool
    """Whether the package is of no use without it."""
    without: str
    """What a missing part switches off."""
    hint: str
    """How to get it."""


@dataclass(frozen=True)
class Program:
    """A program that is asked for its version."""

    name: str
    label: str
    needed: bool
    without: str
    hint: str = _TEX_HINT
    question: str = "--version"


PROGRAMS = (
    Program("pdflatex", "pdfTeX", needed=True, without="no paper is built, so nothing is made or judged"),
    Program("latexmk", "latexmk", needed=True, without="no paper is built, so nothing is made or judged"),
    Program("bibtex", "BibTeX", needed=True, without="papers get no bibliography"),
    Program("biber", "biber", needed=False, without="papers that use biblatex are left out"),
    Program(
        "pdftotext",
        "pdftotext",
        needed=True,
        without="the text of a PDF is not read, so nothing is judged",
        hint="Debian: apt-get install poppler-utils; macOS: brew install poppler",
        question="-v",
    ),
    Program(
        "pdftoppm",
        "pdftoppm",
        needed=True,
        without="pages are not looked at, so nothing is judged",
        hint="Debian: apt-get install poppler-utils; macOS: brew install poppler",
        question="-v",
    ),
    Program("kpsewhich", "kpsewhich", needed=True, without="TeX's own files are not found"),
)

FONTS = (
    ("cm-super", "sfrm1000.pfb", "papers in T1 encoding with TeX's default fonts do not build"),
    ("lmodern", "lmodern.sty", "papers set in Latin Modern do not build"),
)


def examine(store: Path) -> list[Part]:
    """All parts of this machine, in the order in which one would mend them; `store` keeps outcomes of builds."""
    return [
        _python(),
        *(_program(program) for program in PROGRAMS),
        *(_font(*font) for font in FONTS),
        _toolchain(),
        *_sandbox(),
        _store(store),
        _harbor(),
        _docker(),
        _podman(),
    ]


def is_ready(parts: Sequence[Part]) -> bool:
    """Whether all needed parts are there."""
    return all(part.ok for part in parts if part.needed)


def _python() -> Part:
    return Part(
        name="Python",
        found=platform.python_version(),
        ok=sys.version_info >= OLDEST_PYTHON,
        needed=True,
        without="the package does not run",
        hint="Python 3.12 or newer: https://www.python.org/downloads/, or uv python install 3.12",
    )


def _program(program: Program) -> Part:
    path = find_tool(program.name)
    return Part(
        name=program.label,
        found=_first_line(_answer([path, program.question])) or path if path else "",
        ok=path is not None,
        needed=program.needed,
        without=program.without,
        hint=program.hint,
    )


def _font(name: str, file: str, without: str) -> Part:
    kpsewhich = find_tool("kpsewhich")
    found = _first_line(_answer([kpsewhich, file])) if kpsewhich else ""
    hint = f"Debian: apt-get install {name}; else: tlmgr install {name if name != 'lmodern' else 'lm'}"
    return Part(name, found, ok=bool(found), needed=True, without=without, hint=hint)


def _toolchain() -> Part:
    try:
        found, hint = toolchain().fingerprint[:12], ""
    except (InfraError, OSError) as error:
        found, hint = "", str(error)
    without = "outcomes of builds cannot be told apart by what built them"
    return Part("toolchain fingerprint", found, ok=bool(found), needed=True, without=without, hint=hint)


def _sandbox() -> list[Part]:
    """Bubblewrap, and where it does not work on Linux, the namespaces that it is made of."""
    path = find_tool("bwrap")
    works = sandbox.kind() == sandbox.BUBBLEWRAP
    bubblewrap = Part(
        name="bubblewrap",
        found=_first_line(_answer([path, "--version"])) or path if path else "",
        ok=works,
        needed=False,
        without="builds run under process limits alone, and can read this machine's files",
        hint="it is here, but cannot make a sandbox: see user namespaces"
        if path
        else "Debian: apt-get install bubblewrap; macOS has none",
    )
    return [bubblewrap] if works or platform.system() != "Linux" else [bubblewrap, _namespaces()]


def _namespaces() -> Part:
    unshare = find_tool("unshare")
    works = unshare is not None and _answer([unshare, "--user", "--map-root-user", "echo", "work"]) != ""
    return Part(
        name="user namespaces",
        found="work" if works else "",
        ok=works,
        needed=False,
        without="bubblewrap cannot make a sandbox",
        hint="in a container: start it with more rights (--security-opt seccomp=unconfined); else see sysctl "
        "user.max_user_namespaces, kernel.unprivileged_userns_clone and "
        "kernel.apparmor_restrict_unprivileged_userns",
    )


def _store(folder: Path) -> Part:
    ok = folder.is_absolute() and _can_be_written(folder)
    return Part(
        name="store of builds",
        found=str(folder) if ok else "",
        ok=ok,
        needed=True,
        without="outcomes of builds cannot be kept",
        hint=f"make {folder} a folder that you can write",
    )


def _can_be_written(folder: Path) -> bool:
    """Whether `folder`, or the nearest folder above it where it is not made yet, can be written."""
    while not os.path.lexists(folder) and folder != folder.parent:
        folder = folder.parent
    return folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)


def _harbor() -> Part:
    try:
        found = importlib.metadata.version("harbor")
    except importlib.metadata.PackageNotFoundError:
        found = ""
    return Part(
        name="Harbor",
        found=found,
        ok=bool(found),
        needed=False,
        without="packages are made and judged, but not run with agents here",
        hint="pip install 'lattice-env[harbor]'",
    )


def _docker() -> Part:
    """Docker's engine: the client asks it, and fails or says nothing where no engine answers."""
    client = find_tool("docker")
    found = _engine(client, "info", "--format", "{{.ServerVersion}}")
    return Part(
        name="Docker engine",
        found=found,
        ok=bool(found),
        needed=False,
        without="Harbor runs no packages in Docker's containers",
        hint="the client is here, but no engine answers: start it" if client else "https://docs.docker.com/engine/",
    )


def _podman() -> Part:
    found = _engine(find_tool("podman"), "info", "--format", "{{.Version.Version}}")
    return Part(
        name="podman",
        found=found,
        ok=bool(found),
        needed=False,
        without="no containers without Docker",
        hint="Debian: apt-get install podman; macOS: brew install podman",
    )


def _engine(client: str | None, *question: str) -> str:
    """What an engine answers through its client. Where engines listen is written in the environment."""
    return _first_line(_answer([client, *question], environment=os.environ, errors=False)) if client else ""


def _first_line(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if line.strip()), "")


def _answer(command: Sequence[str], *, environment: Mapping[str, str] | None = None, errors: bool = True) -> str:
    """What a program prints; nothing where it fails, hangs or cannot be started.

    What it prints to stderr counts too (pdftotext tells its version there), unless `errors` is false.
    """
    clean = {"PATH": f"{Path(command[0]).parent}:/usr/bin:/bin", "HOME": "/nonexistent", "LC_ALL": "C.UTF-8"}
    try:
        process = subprocess.Popen(  # noqa: S603 - an absolute path and words of our own
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if errors else subprocess.DEVNULL,
            env=clean if environment is None else environment,
            cwd="/",
            start_new_session=True,
        )
    except OSError:
        return ""
    with process:
        try:
            output, _ = process.communicate(timeout=_SECONDS)
        except subprocess.TimeoutExpired:
            return ""
        finally:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
    return output.decode("utf-8", "replace") if process.returncode == 0 else ""
