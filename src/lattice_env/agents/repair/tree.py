"""A TeX Live user tree of our own: made here, filled by tlmgr in user mode, read by the pinned build."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lattice_env.errors import DataError, MissingTool, UsageError
from lattice_env.verifier.toolchain import Toolchain, find_tool, toolchain

from .failures import Failure
from .packages import Installed, NotInstalled, Recovery, missing_file

MARKER = "lattice-tree.json"
"""What tells that a tree is ours: nothing is ever installed where it is not."""

SECONDS = 180
"""How long one call of tlmgr may take."""

_HIDDEN = ("/tmp",)  # noqa: S108 - the sandbox has a fresh one of its own


@dataclass(frozen=True)
class Tree:
    """A managed tree: its folder, and the repository that its packages come from (tlmgr's own where empty)."""

    folder: Path
    repository: str


@dataclass(frozen=True)
class Said:
    """How tlmgr ended, and what it said; -1 where it ran out of time."""

    code: int
    text: str


def init_tree(folder: Path, repository: str = "") -> Tree:
    """A new managed tree in `folder`; UsageError where there is something already, MissingTool without tlmgr."""
    tlmgr_path()
    place = folder.absolute()
    if place.exists() and any(place.iterdir()):
        message = f"{folder} is not empty"
        raise UsageError(message, hint="a managed tree has a folder of its own")
    if any(str(place.resolve()).startswith(f"{hidden}/") for hidden in _HIDDEN):
        message = f"{folder} lies below /tmp, which a build in the sandbox does not see"
        raise UsageError(message, hint="choose another place, such as ~/.local/share/lattice-env/tree")
    place.mkdir(parents=True, exist_ok=True)
    tree = Tree(place, repository)
    said = run_tlmgr(tree, ["init-usertree"])
    if said.code:
        message = f"tlmgr cannot make a tree in {folder}: {said.text[-300:]}"
        raise DataError(message)
    (place / "web2c").mkdir(exist_ok=True)
    (place / "web2c" / "texmf.cnf").write_text(f"TEXMFAUXTREES = {place},\n", "utf-8")
    (place / MARKER).write_text(json.dumps({"version": 1, "repository": repository}) + "\n", "utf-8")
    return tree


def read_tree(folder: Path, repository: str = "") -> Tree:
    """The managed tree in `folder`; UsageError where the folder is not one of ours."""
    try:
        facts = json.loads((folder / MARKER).read_text("utf-8"))
        own = facts["repository"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        message = f"{folder} is not a tree that lattice-env tree init made: nothing is installed there"
        raise UsageError(message, hint=f"lattice-env tree init {folder}") from error
    return Tree(folder.absolute(), repository or str(own))


def tree_tools(tree: Path, tools: Toolchain | None = None) -> Toolchain:
    """The toolchain of this machine with a tree before its own."""
    tools = tools or toolchain()
    place = tree.absolute()
    listed = "\n".join(f"{path}:{content}" for path, content in sorted(tree_digests(place).items()))
    total = hashlib.sha256(f"{tools.fingerprint}\n{listed}".encode())
    configs = f"{place / 'web2c'}:{tools.configs}"
    return replace(tools, trees=(*tools.trees, str(place)), configs=configs, fingerprint=total.hexdigest())


def tree_digests(folder: Path) -> dict[str, str]:
    """SHA-256 by path of what TeX may read of a tree: not tlmgr's own records, nor lists of files."""
    return {path: hashlib.sha256((folder / path).read_bytes()).hexdigest() for path in sorted(_texts(folder))}


def _texts(folder: Path) -> set[str]:
    own = ("tlpkg", "web2c")
    paths = (path for path in folder.rglob("*") if path.is_file() and path.name not in (MARKER, "ls-R"))
    names = {path.relative_to(folder).as_posix() for path in paths}
    return {name for name in names if not name.startswith(tuple(f"{part}/" for part in own))}


def tlmgr_path() -> str:
    """Where tlmgr is; MissingTool where it is not."""
    path = find_tool("tlmgr")
    if path is None:
        message = "tlmgr is not on this machine"
        raise MissingTool(message, hint="on Debian it comes with the package texlive-base")
    return path


def run_tlmgr(tree: Tree, words: Sequence[str], *, program: str = "") -> Said:
    """Run tlmgr in user mode on a tree; its processes are ended when it is, or when its time is over."""
    command = [program or tlmgr_path(), "--usermode", "--usertree", str(tree.folder)]
    command += ["--repository", tree.repository] if tree.repository else []
    # A folder of this machine is whose it is; what comes over a net is checked as tlmgr does by itself.
    command += ["--verify-repo=none"] if Path(tree.repository or "-").is_dir() else []
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(tree.folder), "LC_ALL": "C.UTF-8"}
    # tlmgr has the lists of all trees that can be written made anew, for root the machine's own, by which builds
    # are pinned. This names the only tree that may get one.
    environment |= {"TEXMFDBS": str(tree.folder)}
    with subprocess.Popen(  # noqa: S603 - a list, an absolute path
        [*command, *words],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as process:
        try:
            out, _ = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return Said(-1, f"tlmgr did not end in {SECONDS} s")
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    return Said(process.returncode, out.decode("utf-8", "replace").strip())


def recovery(tree: Tree, *, program: str = "") -> Recovery:
    """What installs the one package that holds a missing file; `program` is another tlmgr than the machine's."""

    def recover(failure: Failure) -> Installed | NotInstalled:
        file = missing_file(failure)
        if not file:
            return NotInstalled("the log names no .sty or .cls that is missing")
        found = holders(tree, file, program=program)
        if isinstance(found, str):
            return NotInstalled(found)
        if len(found) != 1:
            what = "no package" if not found else f"{len(found)} packages ({', '.join(found)})"
            return NotInstalled(f"tlmgr finds {what} with a file of the exact name {file}")
        return _install(tree, file, found[0], program=program)

    return recover


def holders(tree: Tree, file: str, *, program: str = "") -> list[str] | str:
    """The packages of the repository that have a file of exactly this name; or why that cannot be told."""
    said = run_tlmgr(tree, ["search", "--file", "--global", f"/{re.escape(file)}$"], program=program)
    if said.code:
        return f"tlmgr cannot search: {said.text[-200:]}"
    found: list[str] = []
    package = ""
    for line in said.text.split("\n"):
        if head := re.fullmatch(r"([\w.+-]+):", line):
            package = head[1]
        elif (
            package
            and line.startswith(("\t", " "))
            and line.strip().rsplit("/", 1)[-1] == file
            and package not in found
        ):
            found.append(package)
    return found


def _install(tree: Tree, file: str, package: str, *, program: str) -> Installed | NotInstalled:
    before = tree_digests(tree.folder)
    said = run_tlmgr(tree, ["install", package], program=program)
    if said.code:
        return NotInstalled(f"tlmgr cannot install {package}: {said.text[-200:]}")
    after = tree_digests(tree.folder)
    changed = [path for path in after if before.get(path) != after[path]]
    if not any(path.rsplit("/", 1)[-1] == file for path in after):
        return NotInstalled(f"tlmgr installed {package}, and {file} is not in it")
    if not any(path.rsplit("/", 1)[-1] == file for path in changed):
        return NotInstalled(f"{file} was in the tree before {package} was installed: TeX does not see the tree")
    return Installed(file, package, {path: (tree.folder / path).read_bytes() for path in sorted(changed)})


def advise(failure: Failure) -> NotInstalled:
    """What a person may install on a tree that is not ours: Debian's package, where apt knows it."""
    file = missing_file(failure)
    reason = f"{file or 'a file'} is missing, and this TeX tree is not managed here"
    package = debian_package(file) if file else ""
    return NotInstalled(f"{reason}; Debian's {package} holds it" if package else reason)


def debian_package(file: str) -> str:
    """The Debian package that holds a file, as apt-file or dpkg knows; empty where neither does."""
    for name, words in (("dpkg-query", ["-S", f"*/{file}"]), ("apt-file", ["search", "--fixed-string", f"/{file}"])):
        path = find_tool(name)
        if path is None:
            continue
        try:
            done = subprocess.run([path, *words], capture_output=True, timeout=20, check=False)  # noqa: S603
        except (OSError, subprocess.TimeoutExpired):
            continue
        for line in done.stdout.decode("utf-8", "replace").split("\n"):
            package, _, place = line.partition(": ")
            if place.endswith(f"/{file}"):
                return package
    return ""
