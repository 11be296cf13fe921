"""The repair loop's rules as an agent of episodes: it sees and changes the paper through its actions alone."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Generator, Mapping

from lattice_env.actions import Action
from lattice_env.verifier.build import Built
from lattice_env.verifier.diagnostics import read_diagnostics

from .loop import Moves, Told, give_in, refused, text_of, tools_of
from .repair.compiler import Compiled
from .repair.edits import Edit, replace_lines
from .repair.failures import Failure, first_failure
from .repair.policy import GiveUp, Situation
from .repair.rules import rules as propose

MOST_EDITS = 8
SOURCES = (".tex", ".bib", ".sty", ".cls", ".bst")
_FILE = re.compile(r"^(.+) \(\d+ bytes\)$", re.MULTILINE)
_ROOT = re.compile(r"root document is `([^`]+)`")
_REASON = re.compile(r"^The build failed: ([\w-]+)\.", re.MULTILINE)
_INPUT = re.compile(r"^INPUT (/.*)$", re.MULTILINE)

type Look[T] = Generator[Action, Told, T]
"""Moves that end with something seen."""


def rules(told: Told) -> Moves:
    """Build, mend the first failure by a rule, build again; submit where nothing fails, or no rule fits."""
    root = _ROOT.search(text_of(told))
    if root is None or "compile" not in tools_of(told):
        yield give_in(tools_of(told))
        return
    files = yield from _sources()
    claim = "unsolved"
    for _ in range(MOST_EDITS):
        seen = yield from _build(files, root[1])
        if seen is None:
            claim = "solved"
            break
        edit = propose(Situation(files, root[1], *seen))
        if isinstance(edit, GiveUp):
            break
        files = yield from _mend(files, edit)
    yield Action("submit", {"claim": claim})


def _sources() -> Look[dict[str, bytes]]:
    """Every file by its path; the content of sources, and nothing for others."""
    told = yield Action("list_files")
    files: dict[str, bytes] = {}
    for path in _FILE.findall(text_of(told)):
        files[path] = (yield from _read(path)).encode() if path.endswith(SOURCES) else b""
    return files


def _read(path: str) -> Look[str]:
    told = yield Action("read", {"path": path})
    return "" if refused(told) else text_of(told)


def _build(files: Mapping[str, bytes], root: str) -> Look[tuple[Compiled, Failure] | None]:
    """What a build came to; None for a PDF without an error."""
    told = yield Action("compile")
    reason = _REASON.search(text_of(told))
    if reason is None:
        return None
    job = posixpath.splitext(posixpath.basename(root))[0]
    products: dict[str, str] = {}
    for ending in ("log", "blg", "fls"):
        products[f"{job}.{ending}"] = yield from _read(f"{job}.{ending}")
    built = Built(reason[1], products=products, diagnostics=read_diagnostics(products, job))
    failure = first_failure(built, files, posixpath.dirname(root), job)
    inputs = tuple(dict.fromkeys(_INPUT.findall(products[f"{job}.fls"])))
    return Compiled(root, "", b"", failure, products[f"{job}.log"], inputs, 0.0), failure


def _mend(files: Mapping[str, bytes], edit: Edit) -> Look[dict[str, bytes]]:
    """The files after an edit, which is made by text that stands in its file once."""
    before, data = files[edit.file].decode(), replace_lines(files[edit.file], edit)
    old, new = _smallest(before, data.decode())
    told = yield Action("edit", {"path": edit.file, "old": old, "new": new})
    if refused(told):
        yield Action("write", {"path": edit.file, "text": data.decode()})
    return {**files, edit.file: data}


def _smallest(before: str, after: str) -> tuple[str, str]:
    """The lines in which two texts differ, with as many around them as make the old ones stand there once."""
    old, new = before.split("\n"), after.split("\n")
    most = min(len(old), len(new))
    first = next((number for number in range(most) if old[number] != new[number]), most)
    back = next((number for number in range(most - first) if old[-1 - number] != new[-1 - number]), most - first)
    while True:
        kept = "\n".join(old[first : len(old) - back])
        if (kept and before.count(kept) == 1) or not (first or back):
            return kept, "\n".join(new[first : len(new) - back])
        first, back = max(0, first - 1), max(0, back - 1)
