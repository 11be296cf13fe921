"""Undefined commands: a near miss, a word that ran into a command, a backslash for a slash, a package not loaded."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from lattice_env.verifier.latex import Document
from lattice_env.verifier.words import PLAIN

from . import known
from .scene import Change, Scene
from .spelling import nearest

_PATHS = re.compile(
    r"\\(?:includegraphics|input|include|bibliography|lstinputlisting)\s*(?:\[[^\]]*\])?\s*\{([^{}]*)\}"
)
PACKAGES = (
    "amsmath amssymb booktabs graphicx multirow xcolor url hyperref natbib algorithm algpseudocode algorithmic listings"
    " siunitx tikz subcaption enumitem amsthm cleveref microtype tabularx longtable csquotes mathtools bm array"
).split()
"""What papers load most: which of them a command is missing from can be told where only one defines it."""

SHORTEST_GLUED, LONGEST_WORD = 2, 3


def backslash_in_path(scene: Scene) -> Iterator[Change]:
    """A path with a backslash where the project has the file with a slash."""
    for document in scene.documents.values():
        for match in _PATHS.finditer(document.code):
            path = match[1].replace("\\", "/")
            if path != match[1] and _exists(scene, path):
                yield Change(document.path, ((*match.span(1), path),), f"{path} is a file of the project")


def _exists(scene: Scene, path: str) -> bool:
    base = posixpath.dirname(scene.situation.root)
    return any(posixpath.join(base, path + ending) in scene.files for ending in ("", ".tex", ".pdf", ".png", ".bib"))


def misspelt(scene: Scene) -> Iterator[Change]:
    """One command, used once, that is a near miss of one that there is; or that lost the space behind it."""
    name = scene.culprit()
    places = list(_places(scene, name)) if name else []
    if len(places) != 1:
        return
    document, start = places[0]
    end = start + 1 + len(name)
    near = nearest(name, (one for one in scene.commands if len(one) > 1), rank=lambda other: _rank(scene, other))
    glued = _glued(scene, name)
    if glued and (not near or near == glued or scene.used[near] == 0 or len(name) - len(glued) == 1):
        rest = name[len(glued) :]
        yield Change(document.path, ((start, end, f"\\{glued} {rest}"),), f"\\{glued} and {rest} ran together")
    elif near and _fits(scene, document, end, name, near):
        yield Change(document.path, ((start, end, f"\\{near}"),), f"\\{name} is \\{near} misspelt")


def _places(scene: Scene, name: str) -> Iterator[tuple[Document, int]]:
    for document in scene.documents.values():
        for match in re.finditer(rf"\\{name}(?![A-Za-z@])", document.code):
            yield document, match.start()


def _rank(scene: Scene, other: str) -> int:
    """Commands of this paper first, then those of every document, then the packages'."""
    if scene.used[other]:
        return 0
    return 1 if f"\\{other}" in PLAIN else 2


def _glued(scene: Scene, name: str) -> str:
    """The longest known command with which `name` begins, and a short word behind it; empty where there is none."""
    for length in range(len(name) - 1, SHORTEST_GLUED - 1, -1):
        head = name[:length]
        if head in scene.commands and len(name) - length <= LONGEST_WORD:
            return head if scene.used[head] or f"\\{head}" in PLAIN else ""
    return ""


def _fits(scene: Scene, document: Document, end: int, name: str, near: str) -> bool:
    """Whether a near miss may be meant: letters of a scheme of names are not exchanged, and arguments are there."""
    if near in scene.own_commands and len(name) == len(near) <= 5 and sorted(name) != sorted(near):  # noqa: PLR2004 - short names
        return name.lower() == near.lower()
    if name[0].lower() != near[0].lower():
        return scene.used[near] > 0 and near not in scene.own_commands
    takes = re.search(rf"\\(?:re)?newcommand\*?\{{?\\{near}\}}?\[\d\]", scene.code)
    return not takes or document.code[end : end + 1] in ("{", "[")


def late_package(scene: Scene) -> Iterator[Change]:
    """A package that is loaded behind the line that needs it: loaded as the first one instead."""
    name = scene.culprit()
    document = scene.here
    if document is None or not name or scene.failure.line == 0:
        return
    stop = scene.line_start(document, scene.failure.line)
    loads = list(re.finditer(r"^\\usepackage(?:\[[^\]]*\])?\{([\w-]+)\}[ \t]*\n", document.code, re.MULTILINE))
    behind = [match for match in loads if match.start() > stop and known.package_defines(match[1], name)]
    first = next((match for match in loads if match.start() < stop), None)
    if len(behind) == 1 and first:
        target = _after_encodings(loads)
        text = document.text[behind[0].start() : behind[0].end()]
        splices = ((target, target, text), (behind[0].start(), behind[0].end(), ""))
        yield Change(document.path, splices, f"{behind[0][1]} defines \\{name}, and is loaded too late")


def _after_encodings(loads: list[re.Match[str]]) -> int:
    """The offset behind the first packages of a preamble, which set encodings."""
    early = [
        match for match in loads if match[1] in ("fontenc", "inputenc", "lmodern", "babel", "geometry", "textcomp")
    ]
    return early[-1].end() if early else loads[0].start()


def missing_package(scene: Scene) -> Iterator[Change]:
    """A package that is not loaded, where one alone of the usual ones defines what is undefined."""
    found = re.search(r"Environment (\S+) undefined", scene.failure.message)
    name = found[1] if found else scene.culprit()
    if not name:
        return
    loaded = set(re.findall(r"[\w-]+", " ".join(re.findall(r"\\usepackage(?:\[[^\]]*\])?\{([^{}]*)\}", scene.code))))
    able = [package for package in PACKAGES if package not in loaded and known.package_defines(package, name)]
    if "amsmath" in able:
        able = ["amsmath"]
    if len(able) == 1:
        yield from _load(scene, able[0], name)


def _load(scene: Scene, package: str, name: str) -> Iterator[Change]:
    for document in scene.documents.values():
        loads = list(re.finditer(r"^\\usepackage(?:\[[^\]]*\])?\{([\w-]+)[^\n]*\n", document.code, re.MULTILINE))
        if not loads:
            continue
        last = [
            match for match in loads if match[1] in ("hyperref", "cleveref", "biblatex", "caption", "algpseudocode")
        ]
        target = (
            _after_encodings(loads) if package.startswith("ams") else (last[0].start() if last else loads[-1].end())
        )
        yield Change(
            document.path, ((target, target, f"\\usepackage{{{package}}}\n"),), f"{package} alone defines {name}"
        )
        return
