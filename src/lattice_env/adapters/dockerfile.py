"""The part of a Dockerfile that makes sense on a machine whose own programs stand in for the image."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from lattice_env.errors import PackageError

_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)", re.DOTALL)
_WILD = re.compile(r"[*?\[]")


@dataclass(frozen=True)
class Copy:
    """One COPY: sources relative to the Dockerfile's folder, and an absolute destination."""

    sources: tuple[str, ...]
    destination: str
    into: bool
    """Whether the destination is a folder that files are put into."""


@dataclass
class Recipe:
    """What a Dockerfile asks for beside its image and its installed programs."""

    workdir: str = "/"
    environment: dict[str, str] = field(default_factory=dict[str, str])
    copies: list[Copy] = field(default_factory=list[Copy])
    folders: list[str] = field(default_factory=list[str])
    """Every WORKDIR, which Docker makes where it is missing."""


def read_recipe(path: Path) -> Recipe:
    """The recipe of a Dockerfile: ARG, FROM and RUN are passed over, COPY, ENV and WORKDIR are kept.

    PackageError names the line of anything else, for a task must not run in half of its environment.
    """
    recipe = Recipe()
    if (path.parent / ".dockerignore").exists():
        message = f"{path.parent / '.dockerignore'}: not supported without a container engine"
        raise PackageError(message)
    stages = 0
    for number, text in _instructions(path.read_text("utf-8")):
        word, _, rest = text.partition(" ")
        stages += word.upper() == "FROM"
        problem = "a second FROM" if stages > 1 else _take(word.upper(), rest.strip(), recipe)
        if problem:
            message = f"{path}:{number}: not supported without a container engine: {problem}: {text}"
            raise PackageError(message)
    return recipe


def _instructions(text: str) -> Iterator[tuple[int, str]]:
    """Each instruction on one line, with the number of the line that it begins on."""
    begin, parts = 0, list[str]()
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        begin = begin if parts else number
        parts.append(stripped.removesuffix("\\").strip())
        if not stripped.endswith("\\"):
            yield begin, " ".join(parts)
            parts = []
    if parts:
        yield begin, " ".join(parts)


def _take(word: str, rest: str, recipe: Recipe) -> str:
    """Add one instruction to `recipe`; what is wrong with it, or nothing."""
    if word in {"ARG", "FROM", "RUN"}:
        return "a here-document" if "<<" in rest else ""
    if word not in {"COPY", "ENV", "WORKDIR"}:
        return "an instruction other than ARG, FROM, RUN, COPY, ENV, WORKDIR"
    if "$" in rest:
        return "a variable"
    try:
        words = shlex.split(rest)
    except ValueError as error:
        return str(error).lower()
    take = {"ENV": _take_env, "WORKDIR": _take_workdir, "COPY": _take_copy}[word]
    return take(words, recipe)


def _take_env(words: list[str], recipe: Recipe) -> str:
    for word in words:
        match = _ASSIGNMENT.fullmatch(word)
        if match is None:
            return "ENV without NAME=value"
        recipe.environment[match[1]] = match[2]
    return "" if words else "ENV without NAME=value"


def _take_workdir(words: list[str], recipe: Recipe) -> str:
    if len(words) != 1:
        return "WORKDIR without one path"
    recipe.workdir = str(PurePosixPath(recipe.workdir) / words[0])
    recipe.folders.append(recipe.workdir)
    return ".." if ".." in PurePosixPath(recipe.workdir).parts else ""


def _take_copy(words: list[str], recipe: Recipe) -> str:
    if len(words) < 2:  # noqa: PLR2004 - a source and a destination
        return "COPY without a source and a destination"
    *sources, last = words
    if words[0].startswith(("--", "[")):
        return "COPY with options or in exec form"
    if any(_WILD.search(source) or ".." in PurePosixPath(source).parts for source in sources):
        return "COPY of a pattern, or from outside"
    into = last.endswith(("/", "/.")) or last == "." or len(sources) > 1
    destination = str(PurePosixPath(recipe.workdir) / last)
    if ".." in PurePosixPath(destination).parts:
        return ".."
    recipe.copies.append(Copy(tuple(source.lstrip("/") or "." for source in sources), destination, into))
    return ""


def copy_files(recipe: Recipe, context: Path, root: Path) -> None:
    """Make the recipe's folders and files under `root`; PackageError where a source is missing."""
    for folder in recipe.folders:
        (root / folder.lstrip("/")).mkdir(parents=True, exist_ok=True)
    for copy in recipe.copies:
        target = root / copy.destination.lstrip("/")
        for name in copy.sources:
            source = context / name
            if source.is_dir():
                shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True)
            elif source.is_file():
                place = target / source.name if copy.into or target.is_dir() else target
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, place)
            else:
                message = f"{context / 'Dockerfile'}: COPY {name}: no such file or folder"
                raise PackageError(message)
