"""The TeX tools of this machine: absolute paths, TeX's own trees, and a fingerprint of them all."""

from __future__ import annotations

import functools
import hashlib
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from .verdict import InfraError

TOOLS = ("latexmk", "pdflatex", "bibtex", "biber", "kpsewhich", "pdftotext", "pdftoppm")
OPTIONAL = ("biber",)

SYSTEM_DIRS = ("/usr/bin", "/bin", "/usr/local/bin", "/Library/TeX/texbin", "/opt/homebrew/bin")
"""Where tools may lie. `PATH` is never asked: in a shared container the agent may have set it."""

_TREES = ("TEXMFDIST", "TEXMFMAIN", "TEXMFLOCAL", "TEXMFSYSVAR", "TEXMFSYSCONFIG", "TEXMFDEBIAN")


@dataclass(frozen=True)
class Toolchain:
    """What builds papers here."""

    tools: tuple[tuple[str, str], ...]
    """(name, absolute path), for each of TOOLS that is there."""
    trees: tuple[str, ...]
    """TeX's own trees: what a build may read beside its paper."""
    formats: str
    """The folder of `pdflatex.fmt`, the only one in which formats are looked for."""
    configs: str
    """The folders of `texmf.cnf`, joined by `:`."""
    fingerprint: str
    """SHA-256 over the tools, the format and the trees' lists of files."""

    def path(self, name: str) -> str:
        """The absolute path of a tool; InfraError where it is missing."""
        try:
            return dict(self.tools)[name]
        except KeyError:
            message = f"{name} is not on this machine"
            raise InfraError(message) from None

    def search_path(self) -> str:
        """A `PATH` of the tools' folders and the system's, and no other."""
        folders = [str(Path(path).parent) for _, path in self.tools]
        return ":".join(dict.fromkeys([*folders, "/usr/bin", "/bin"]))


def tool_dirs() -> list[Path]:
    """The folders in which tools are looked for, TeX Live's own first."""
    own = sorted(Path("/usr/local/texlive").glob("*/bin/*"), reverse=True)
    return [*own, *map(Path, SYSTEM_DIRS)]


def find_tool(name: str) -> str | None:
    """The absolute path of a tool, or None."""
    for folder in tool_dirs():
        path = folder / name
        if path.is_file() and os.access(path, os.X_OK) and path.stat().st_size:
            return str(path)
    return None


@functools.cache
def toolchain() -> Toolchain:
    """The toolchain of this machine, found once a process; InfraError names what is missing."""
    tools = tuple((name, path) for name in TOOLS if (path := find_tool(name)))
    missing = [name for name in TOOLS if name not in dict(tools) and name not in OPTIONAL]
    if missing:
        message = f"not on this machine: {', '.join(missing)}"
        raise InfraError(message)
    kpsewhich = dict(tools)["kpsewhich"]
    values = [_ask(kpsewhich, f"-var-value={name}") for name in _TREES]
    trees = tuple(dict.fromkeys(value for value in values if value and Path(value).is_dir()))
    format_file = _ask(kpsewhich, "-engine=pdftex", "pdflatex.fmt")
    configs = _ask(kpsewhich, "-all", "texmf.cnf").split()
    if not format_file or not configs:
        message = "TeX is installed, but kpsewhich finds no pdflatex.fmt or no texmf.cnf"
        raise InfraError(message)
    return Toolchain(
        tools=tools,
        trees=trees,
        formats=str(Path(format_file).parent),
        configs=":".join(str(Path(config).parent) for config in configs),
        fingerprint=_fingerprint(tools, trees, format_file),
    )


def _ask(kpsewhich: str, *arguments: str) -> str:
    """What kpsewhich answers in an empty environment and a folder of no interest."""
    environment = {"PATH": f"{Path(kpsewhich).parent}:/usr/bin:/bin", "HOME": "/nonexistent"}
    command = [kpsewhich, *arguments]
    try:
        done = subprocess.run(  # noqa: S603 - an absolute path and words of our own
            command, capture_output=True, env=environment, cwd="/", timeout=30, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        message = f"kpsewhich does not answer: {error}"
        raise InfraError(message) from error
    return done.stdout.decode("utf-8", "replace").strip()


def _fingerprint(tools: tuple[tuple[str, str], ...], trees: tuple[str, ...], format_file: str) -> str:
    lists = sorted(str(path) for tree in trees for path in Path(tree).glob("ls-R*"))
    total = hashlib.sha256()
    for name in [*(path for _, path in tools), format_file, *lists]:
        with Path(name).open("rb") as file:
            total.update(f"{Path(name).name}\0{hashlib.file_digest(file, 'sha256').hexdigest()}\n".encode())
    return total.hexdigest()
