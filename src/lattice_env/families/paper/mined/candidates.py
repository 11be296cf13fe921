"""Commits that may have repaired a paper: a small edit of a few sources, and the paper around them as a seed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from lattice_env.model import Files
from lattice_env.verifier.build import is_product
from lattice_env.verifier.intake import MOST_BYTES, MOST_ENTRIES, MOST_FILE_BYTES, check_files
from lattice_env.verifier.latex import Document, decode

from .history import Entry, History, Step
from .reduce import changed_lines

MOST_LINES, MOST_FILES, MOST_ROOTS = 19, 3, 4
"""Lines removed and added, and sources modified, of a commit that is looked at; roots that are tried for one commit."""

SOURCES = (".tex", ".bib")
"""What an agent may edit, and what a fault may lie in."""
_READ = (
    *SOURCES,
    *(".sty .cls .bst .bbx .cbx .lbx .cfg .def .clo .fd .ldf .tikz .pgf .inc .ltx .dat .csv .txt .ind .gls".split()),
    *(".pdf .png .jpg .jpeg .eps .ps .mps .pfb .tfm .enc .map".split()),
)
"""Endings of files that TeX may read for a paper."""


@dataclass(frozen=True)
class Project:
    """A paper in a commit, and the sources of it that the commit changed, as they were before."""

    root: str
    folder: str
    files: Files
    before: Mapping[str, str]


def candidates(history: History) -> Iterator[Step]:
    """Steps that modify one to three sources, and few lines of them."""
    for step in history.steps():
        sources = tuple(item for item in step.modified if item[0].endswith(SOURCES))
        if not 0 < len(sources) <= MOST_FILES:
            continue
        pairs = [blob for _, *pair in sources for blob in pair]
        if max(history.sizes(pairs)) > MOST_FILE_BYTES:
            continue
        blobs = history.read(pairs)
        lines = sum(size_of_change(decode(blobs[old]), decode(blobs[new])) for _, old, new in sources)
        if 0 < lines <= MOST_LINES:
            yield Step(step.commit, step.parent, sources)


def size_of_change(old: str, new: str) -> int:
    """How many lines are removed and added between two texts."""
    return sum(b - a + d - c for a, b, c, d in changed_lines(new.splitlines(), old.splitlines()))


def projects(history: History, step: Step, tree: Sequence[Entry]) -> Iterator[Project]:
    """Each paper of a commit that the step may have repaired, the nearest root first."""
    files = {entry.path: entry for entry in tree}
    folders = dict.fromkeys(str(above) for path, *_ in step.modified for above in PurePosixPath(path).parents)
    found = 0
    for folder in sorted(folders, key=lambda name: (-len(PurePosixPath(name).parts), name)):
        prefix = "" if folder == "." else f"{folder}/"
        tops = [e for p, e in sorted(files.items()) if p.startswith(prefix) and "/" not in p[len(prefix) :]]
        texts = history.read([e.blob for e in tops if e.path.endswith(".tex") and e.size <= MOST_FILE_BYTES])
        for entry in tops:
            if entry.blob in texts and _is_root(decode(texts[entry.blob])) and found < MOST_ROOTS:
                found += 1
                project = _project(history, step, tree, prefix, entry.path[len(prefix) :])
                if project:
                    yield project


def _is_root(text: str) -> bool:
    code = Document("paper.tex", text).code
    marks = (r"\\documentclass(?![A-Za-z@])", r"\\begin\s*\{document\}", r"\\end\s*\{document\}")
    return all(len(re.findall(mark, code)) == 1 for mark in marks)


def _project(history: History, step: Step, tree: Sequence[Entry], prefix: str, root: str) -> Project | None:
    """The files below a folder that TeX may read; None where they are too many or have names that cannot be shipped."""
    kept = {e.path[len(prefix) :]: e for e in tree if e.path.startswith(prefix) and _is_read(e, prefix, root)}
    size = sum(entry.size for entry in kept.values())
    if len(kept) > MOST_ENTRIES or size > MOST_BYTES or check_files(dict.fromkeys(kept, b"")):
        return None
    blobs = history.read([entry.blob for entry in kept.values()])
    files = {path: blobs[entry.blob] for path, entry in sorted(kept.items())}
    own = [(path[len(prefix) :], old) for path, old, _ in step.modified if path.startswith(prefix)]
    before = {path: decode(history.read([old])[old]) for path, old in own if path in files}
    return Project(root, prefix, files, before) if before else None


def _is_read(entry: Entry, prefix: str, root: str) -> bool:
    path = entry.path[len(prefix) :]
    hidden = any(part.startswith(".") for part in path.split("/"))
    return path.lower().endswith(_READ) and not hidden and not is_product(path, root) and entry.size <= MOST_FILE_BYTES
