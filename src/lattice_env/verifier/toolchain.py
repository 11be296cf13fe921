"""The TeX tools of this machine: absolute paths, TeX's own trees, and a fingerprint of them all."""

from __future__ import annotations

import functools
import hashlib
import json
import os
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from .verdict import InfraError

TOOLS = ("latexmk", "pdflatex", "bibtex", "biber", "kpsewhich", "pdftotext", "pdftoppm")
OPTIONAL = ("biber",)

SYSTEM_DIRS = ("/usr/bin", "/bin", "/usr/local/bin", "/Library/TeX/texbin", "/opt/homebrew/bin")
"""Where tools may lie. `PATH` is never asked: in a shared container the agent may have set it."""

TOOLCHAIN = "toolchain.json"
"""The file of a package's `tests/` that names the toolchains that may judge it; a package without one takes any."""

_LIBRARIES = ("libpoppler.so.*", "libkpathsea.so.*")
"""Where tools are linked with shared libraries: the one that reads pages, the one that finds files."""
_PACKAGES = ("texlive", "tex-", "latexmk", "biber", "lmodern", "cm-super", "poppler", "libpoppler", "libkpathsea")
"""How the names of Debian's packages begin that hold tools and trees."""
_STATUS = "/var/lib/dpkg/status"

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
    """SHA-256 over what decides a verdict and nothing of the machine around it; see `_fingerprint`."""

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
        fingerprint=_fingerprint(tools, trees, [format_file, *configs]),
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


def _fingerprint(tools: tuple[tuple[str, str], ...], trees: tuple[str, ...], files: list[str]) -> str:
    """SHA-256 over the contents of tools, their libraries, format and configuration, lists of files, and versions.

    Contents stand under their own names without a folder, and nothing is asked of processor, kernel, clock or user,
    so that one image has one fingerprint wherever it runs. Not covered: what the files of a tree say that no version
    tells, for a tree has 10⁵ of them.
    """
    lists = sorted(str(path) for tree in trees for path in Path(tree).glob("ls-R*"))
    libraries = sorted({str(path.resolve()) for name in _LIBRARIES for path in Path("/usr/lib").glob(f"*/{name}")})
    total = hashlib.sha256()
    for name in [*(path for _, path in tools), *libraries, *files, *lists]:
        with Path(name).open("rb") as file:
            total.update(f"{Path(name).name}\0{hashlib.file_digest(file, 'sha256').hexdigest()}\n".encode())
    for line in _versions(trees):
        total.update(f"{line}\n".encode())
    return total.hexdigest()


def _versions(trees: Iterable[str]) -> Iterator[str]:
    """The versions of what lies in the trees: TeX Live's own database, or Debian's packages."""
    for database in sorted({Path(tree).parent / "tlpkg" / "texlive.tlpdb" for tree in trees}):
        if database.is_file():
            yield hashlib.sha256(database.read_bytes()).hexdigest()
    if Path(_STATUS).is_file():
        paragraphs = Path(_STATUS).read_text("utf-8", "replace").split("\n\n")
        fields = (dict(line.split(": ", 1) for line in text.splitlines() if ": " in line) for text in paragraphs)
        found = (each for each in fields if each.get("Package", "").startswith(_PACKAGES))
        yield from sorted(f"{each['Package']} {each.get('Version', '')}" for each in found)


def foreign(tests: Path) -> str:
    """Why this machine's toolchain may not judge the package whose `tests/` this is; empty where it may.

    Raises InfraError where this machine has no toolchain, ValueError where the package's file does not parse.
    """
    path = tests / TOOLCHAIN
    if not path.exists():
        return ""
    body: Any = json.loads(path.read_text("utf-8"))
    if not isinstance(body, dict):
        message = f"{path}: expected an object"
        raise ValueError(message)  # noqa: TRY004 - one kind of error for a file that is wrong
    wanted = cast("dict[str, Any]", body).get("fingerprints")
    if not isinstance(wanted, list) or not wanted:
        message = f"{path}: fingerprints: expected a list of some"
        raise ValueError(message)
    found = toolchain().fingerprint
    if found in wanted:
        return ""
    names = ", ".join(str(word)[:12] for word in cast("list[Any]", wanted))
    return f"the task is for the toolchain {names}; this machine's is {found[:12]}"
