"""Files that are not there, where one of the project's, or of TeX's, is meant beyond doubt."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from lattice_env.agents.repair.compiler import base_of, below

from . import known
from .commands import PACKAGES
from .scene import Change, Scene
from .spelling import nearest

FIGURES = (".pdf", ".png", ".jpg", ".jpeg")
FAMILY = 4
"""A style whose name begins with this many letters of a loaded package or class is its own."""

ENCODINGS = ("T1", "OT1", "TS1", "LY1", "T2A", "T5")


def figure(scene: Scene) -> Iterator[Change]:
    """A figure of another ending, or of a near-missed name."""
    found = re.search(r"\\includegraphics\s*\*?(?:\[[^\]]*\])?\{([^{}]*)\}", scene.failure.source)
    if not found or scene.here is None:
        return
    there = [path for path in _project(scene) if path.endswith(FIGURES)]
    stem, ending = posixpath.splitext(found[1])
    same = [path for path in there if posixpath.splitext(path)[0] == stem]
    meant = same[0] if len(same) == 1 else _near(found[1], there, ending in FIGURES)
    if meant:
        yield from _renamed(scene, found[1], meant if ending else posixpath.splitext(meant)[0])


def _project(scene: Scene) -> list[str]:
    return sorted(below(scene.files, base_of(scene.situation.root)))


def _near(path: str, there: list[str], whole: bool) -> str:  # noqa: FBT001 - whether the ending counts
    same = [other for other in there if posixpath.dirname(other) == posixpath.dirname(path)]
    stems = {posixpath.basename(other if whole else posixpath.splitext(other)[0]): other for other in same}
    near = nearest(posixpath.basename(path), stems)
    return stems.get(near, "")


def _renamed(scene: Scene, old: str, new: str) -> Iterator[Change]:
    """The first place, from the failing line on, that names a file, with the other name."""
    if scene.here is None:
        return
    start = scene.line_start(scene.here, max(scene.failure.line, 1))
    at = scene.here.code.find(old, start)
    if at >= 0:
        yield Change(scene.here.path, ((at, at + len(old), new),), f"{old} is not there, {new} is")


def source(scene: Scene) -> Iterator[Change]:
    """An input whose name near-misses one of the project's sources."""
    found = re.search(r"\\(?:input|include|subfile)\s*\{([^{}]*)\}", scene.failure.source)
    if found:
        there = [posixpath.splitext(path)[0] for path in _project(scene) if path.endswith(".tex")]
        meant = _near(found[1].removesuffix(".tex"), [f"{path}.tex" for path in there], whole=False)
        if meant:
            yield from _renamed(scene, found[1], meant if found[1].endswith(".tex") else meant.removesuffix(".tex"))


def package(scene: Scene) -> Iterator[Change]:
    """A package whose name near-misses one of TeX's, where the project's own files do not have it either."""
    found = re.search(r"File `([\w-]+)\.sty' not found", scene.failure.message)
    if found:
        meant = nearest(found[1], known.tree_files(".sty"), rank=lambda name: _package_rank(found[1], name))
        yield from _in_argument(scene, r"usepackage|RequirePackage", found[1], meant)


def _package_rank(name: str, other: str) -> int:
    usual = {*PACKAGES, "inputenc", "fontenc", "babel", "geometry", "caption", "lmodern", "setspace", "fancyhdr"}
    return 0 if other in usual else 1 + abs(len(name) - len(other) + 1)


def _in_argument(scene: Scene, command: str, old: str, new: str) -> Iterator[Change]:
    """`old`, an item of a command's argument or option, as `new`; nothing where it stands in several places."""
    if not new:
        return
    found: list[Change] = []
    for document in scene.documents.values():
        for match in re.finditer(rf"\\(?:{command})\s*(\[[^\]]*\])?\s*\{{[^{{}}]*\}}", document.code):
            for item in re.finditer(rf"(?<![\w-]){re.escape(old)}(?![\w-])", match[0]):
                span = (match.start() + item.start(), match.start() + item.end(), new)
                found.append(Change(document.path, (span,), f"{old} is {new} misspelt"))
    if len(found) == 1:
        yield found[0]


def bibliography(scene: Scene) -> Iterator[Change]:
    """A bibliography or its style whose name near-misses one that is there."""
    message = scene.failure.message
    base = re.search(r"open database file (\S+)\.bib|Cannot find '([^']+)\.bib'", message)
    if base:
        name = base[1] or base[2]
        there = [posixpath.splitext(path)[0] for path in _project(scene) if path.endswith(".bib")]
        yield from _in_argument(scene, r"bibliography|addbibresource", name, nearest(name, there))
    style = re.search(r"open style file (\S+)\.bst", message)
    if style:
        names = {*known.tree_files(".bst"), *(p.removesuffix(".bst") for p in _project(scene) if p.endswith(".bst"))}
        loaded = {posixpath.splitext(posixpath.basename(path))[0] for path in scene.situation.compiled.inputs}
        meant = nearest(
            style[1], names, rank=lambda n: 0 if any(n.startswith(one) for one in loaded if len(one) >= FAMILY) else 1
        )
        yield from _in_argument(scene, "bibliographystyle", style[1], meant)


def language(scene: Scene) -> Iterator[Change]:
    """A language, an encoding or another name of an option that near-misses one of TeX's."""
    message = scene.failure.message
    babel = re.search(r"Unknown option '(\w+)'.*language definition file", message)
    if babel:
        yield from _in_argument(scene, "usepackage", babel[1], nearest(babel[1], known.tree_files(".ldf")))
    if "Couldn't load requested language" in message:
        for old in re.findall(r"language\s*=\s*\{?([\w+#]+)", scene.code):
            if old.lower() not in known.listing_languages():
                yield from _language(scene, old, nearest(old, known.listing_languages().values()))
    encoding = re.search(r"Encoding file `(\w+)enc\.def' not found", message)
    if encoding:
        old = next((m[1] for m in re.finditer(r"\\usepackage\[(\w+)\]\{fontenc\}", scene.code)), "")
        near = nearest(old, ENCODINGS, rank=ENCODINGS.index)
        yield from _in_argument(scene, "usepackage", old, near)


def _language(scene: Scene, old: str, new: str) -> Iterator[Change]:
    for document in scene.documents.values():
        found = list(re.finditer(rf"(?<=language=){re.escape(old)}(?![\w+#])", document.code))
        if new and len(found) == 1:
            yield Change(document.path, ((*found[0].span(), new),), f"{old} is {new} misspelt")
