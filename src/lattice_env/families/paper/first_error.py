"""The first error of a broken paper, from one pass that starts behind the preamble.

TeX spends more than half of a short paper's first pass on the preamble, which most faults leave alone. Its state
at `\\begin{document}` is dumped once a paper (the package mylatexformat), and a mutant's pass goes on from
there and ends at the first error: what the pinned build says of the same files, for a fraction of its cost.
"""

from __future__ import annotations

import functools
import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from lattice_env.model import Files, Seed
from lattice_env.verifier import sandbox
from lattice_env.verifier.build import is_product, job_name
from lattice_env.verifier.diagnostics import Diagnostic, read_diagnostics
from lattice_env.verifier.latex import Document, decode
from lattice_env.verifier.toolchain import toolchain

_OPTIONS = ("-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "-no-parse-first-line")
_DUMP = "dumped"
_INPUT = re.compile(r"^INPUT (?:\./)?([^/\n].*)$", re.MULTILINE)


@dataclass(frozen=True)
class Preamble:
    """What TeX knows at the beginning of a paper's text."""

    format: bytes
    """A TeX format of this machine's pdfTeX."""
    read: frozenset[str]
    """The paper's files that were read for it."""


def first_error(seed: Seed, start: Files) -> Diagnostic | None:
    """The first error of the first pass over `start`, a mutant of `seed`; None where this way cannot tell.

    It cannot where the fault lies in the preamble or in the bibliography, where the first pass finds nothing,
    and where the preamble cannot be dumped: then the pinned build must be asked.
    """
    changed = {path for path in start if start[path] != seed.files[path]}
    if any(path.endswith(".bib") for path in changed) or not _same_preamble(seed, start):
        return None
    preamble = _dump(_sources(seed.files, seed.root), seed.root)
    if preamble is None or changed & preamble.read - {seed.root}:
        return None
    return _run(preamble, _sources(start, seed.root), seed.root)


def _same_preamble(seed: Seed, start: Files) -> bool:
    good, broken = (Document(seed.root, decode(files[seed.root])) for files in (seed.files, start))
    end = good.body_start
    return bool(end) and end == broken.body_start and good.text[:end] == broken.text[:end]


def _sources(files: Mapping[str, bytes], root: str) -> tuple[tuple[str, bytes], ...]:
    return tuple((path, data) for path, data in sorted(files.items()) if not is_product(path, root))


@functools.lru_cache(maxsize=16)
def _dump(sources: tuple[tuple[str, bytes], ...], root: str) -> Preamble | None:
    """A paper's preamble, dumped once a process; None where TeX cannot."""
    command = [toolchain().path("pdflatex"), *_OPTIONS, "-ini", "-recorder", f"-jobname={_DUMP}"]
    with tempfile.TemporaryDirectory(prefix="lattice-") as scratch:
        tree = _tree(Path(scratch), sources)
        ended = sandbox.run([*command, "&pdflatex", "mylatexformat.ltx", root], tree, toolchain(), tree / "output.txt")
        dumped = tree / f"{_DUMP}.fmt"
        if ended.code or not dumped.is_file():
            return None
        read = _INPUT.findall((tree / f"{_DUMP}.fls").read_text("utf-8", "replace"))
        return Preamble(dumped.read_bytes(), frozenset(read) & {path for path, _ in sources})


def _run(preamble: Preamble, sources: tuple[tuple[str, bytes], ...], root: str) -> Diagnostic | None:
    command = [toolchain().path("pdflatex"), *_OPTIONS, "-file-line-error", f"-fmt=./{_DUMP}.fmt", root]
    with tempfile.TemporaryDirectory(prefix="lattice-") as scratch:
        tree = _tree(Path(scratch), sources)
        (tree / f"{_DUMP}.fmt").write_bytes(preamble.format)
        ended = sandbox.run(command, tree, toolchain(), tree / "output.txt", [path for path, _ in sources])
        log = tree / f"{job_name(root)}.log"
        if not ended.code or ended.timed_out or not log.is_file():
            return None
        text = log.read_bytes().decode("utf-8", "replace")
    if "==> Fatal error" not in text or "TeX capacity exceeded" in text:
        return None
    return next(iter(read_diagnostics({log.name: text}, job_name(root))), None)


def _tree(scratch: Path, sources: tuple[tuple[str, bytes], ...]) -> Path:
    """A fresh copy of the sources, beside the fresh home that the sandbox expects."""
    for name in ("texmf", "texmf-var", "texmf-config"):
        (scratch / "home" / name).mkdir(parents=True)
    tree = scratch / "tree"
    tree.mkdir()
    for path, data in sources:
        target = tree / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return tree
