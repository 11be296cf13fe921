"""The first error of a broken paper, from the few runs that it takes to meet it.

The pinned build runs TeX and the bibliography program under latexmk until nothing changes. A fault is met
sooner: in the first pass, in the bibliography, or in the pass that reads it. And TeX spends more than half of
a short paper's pass on the preamble, which most faults leave alone: its state at `\\begin{document}` is dumped
once a paper (the package mylatexformat) and a mutant's pass goes on from there. What is found is what the pinned
build of the same files says first, for a fraction of its cost.
"""

from __future__ import annotations

import functools
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lattice_env.model import Files, PaperSeed
from lattice_env.verifier import sandbox
from lattice_env.verifier.build import is_product, job_name, write_tree
from lattice_env.verifier.diagnostics import Diagnostic, read_diagnostics
from lattice_env.verifier.latex import Document, decode
from lattice_env.verifier.toolchain import toolchain

_OPTIONS = ("-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "-no-parse-first-line")
_DUMP, _OUTPUT = "dumped", "output.txt"
_INPUT = re.compile(r"^INPUT (?:\./)?([^/\n].*)$", re.MULTILINE)

Sources = tuple[tuple[str, bytes], ...]
"""A paper's files, sorted by path."""


@dataclass(frozen=True)
class Preamble:
    """What TeX knows at the beginning of a paper's text."""

    format: bytes
    """A TeX format of this machine's pdfTeX; empty where a pass must begin at the class."""
    read: frozenset[str]
    """The paper's files that were read for it."""


@dataclass(frozen=True)
class _Bench:
    """A fresh copy of a paper on which programs are run."""

    tree: Path
    job: str
    sources: Sequence[str]

    def run(self, *command: str) -> bool:
        """Whether a program ended well."""
        words = [toolchain().path(command[0]), *command[1:]]
        return not sandbox.run(words, self.tree, toolchain(), self.tree / _OUTPUT, self.sources).code

    def read(self, ending: str) -> str:
        """What a program wrote; empty where there is no such file."""
        path = self.tree / f"{self.job}.{ending}"
        return path.read_bytes().decode("utf-8", "replace") if path.is_file() else ""


def first_error(seed: PaperSeed, start: Files) -> Diagnostic | None:
    """The first error that a pass, the bibliography and a second pass meet in `start`, a mutant of `seed`.

    None where they meet none, or end in a way that only the pinned build can tell.
    """
    sources = _sources(start, seed.root)
    changed = {path for path in start if start[path] != seed.files[path]}
    preamble = _preamble(seed, start, changed)
    with tempfile.TemporaryDirectory(prefix="lattice-") as scratch:
        bench = _bench(Path(scratch), sources, seed.root, preamble)
        if all(path.endswith(".bib") for path in changed):
            for path, data in _first_pass(_sources(seed.files, seed.root), seed.root, preamble):
                (bench.tree / path).write_bytes(data)
        elif not _pass(bench, seed.root, preamble):
            return _tex_error(bench)
        if not _bibliography(bench, seed.bibliography):
            return next(iter(read_diagnostics({f"{bench.job}.blg": bench.read("blg")}, bench.job)), None)
        return None if _pass(bench, seed.root, preamble) else _tex_error(bench)


def _preamble(seed: PaperSeed, start: Files, changed: set[str]) -> Preamble:
    """The good paper's, where the mutant has the same; else one that saves nothing."""
    good, broken = (Document(seed.root, decode(files[seed.root])) for files in (seed.files, start))
    end = good.body_start
    none = Preamble(b"", frozenset())
    if not end or end != broken.body_start or good.text[:end] != broken.text[:end]:
        return none
    dumped = _dump(_sources(seed.files, seed.root), seed.root)
    return none if changed & dumped.read - {seed.root} else dumped


def _sources(files: Mapping[str, bytes], root: str) -> Sources:
    return tuple((path, data) for path, data in sorted(files.items()) if not is_product(path, root))


def _bench(scratch: Path, sources: Sources, root: str, preamble: Preamble) -> _Bench:
    """A copy of the sources on which programs are run, with the dumped preamble where there is one."""
    tree = scratch / "tree"
    write_tree(tree, dict(sources))
    if preamble.format:
        (tree / f"{_DUMP}.fmt").write_bytes(preamble.format)
    return _Bench(tree, job_name(root), [path for path, _ in sources])


@functools.lru_cache(maxsize=16)
def _dump(sources: Sources, root: str) -> Preamble:
    """A paper's preamble, dumped once a process; one that saves nothing where TeX cannot."""
    none = Preamble(b"", frozenset())
    with tempfile.TemporaryDirectory(prefix="lattice-") as scratch:
        bench = _bench(Path(scratch), sources, root, none)
        words = ("-ini", "-recorder", f"-jobname={_DUMP}", "&pdflatex", "mylatexformat.ltx", root)
        dumped = bench.tree / f"{_DUMP}.fmt"
        if not bench.run("pdflatex", *_OPTIONS, *words) or not dumped.is_file():
            return none
        read = _INPUT.findall((bench.tree / f"{_DUMP}.fls").read_text("utf-8", "replace"))
        return Preamble(dumped.read_bytes(), frozenset(read) & {path for path, _ in sources})


@functools.lru_cache(maxsize=16)
def _first_pass(sources: Sources, root: str, preamble: Preamble) -> Sources:
    """What the first pass over a good paper leaves for the bibliography and the next pass, entries that a class
    writes by itself included: no mutant of the paper's own bibliography changes that.
    """
    with tempfile.TemporaryDirectory(prefix="lattice-") as scratch:
        bench = _bench(Path(scratch), sources, root, preamble)
        _pass(bench, root, preamble)
        there = {path.relative_to(bench.tree).as_posix(): path for path in bench.tree.rglob("*") if path.is_file()}
        ours = {path for path, _ in sources} | {_OUTPUT, f"{_DUMP}.fmt", f"{bench.job}.pdf"}
        return tuple((name, path.read_bytes()) for name, path in sorted(there.items()) if name not in ours)


def _pass(bench: _Bench, root: str, preamble: Preamble) -> bool:
    """Whether one pass of TeX ends well."""
    start = [f"-fmt=./{_DUMP}.fmt"] if preamble.format else []
    return bench.run("pdflatex", *_OPTIONS, "-file-line-error", *start, root)


def _bibliography(bench: _Bench, program: str) -> bool:
    """Whether the bibliography program ends well, or has nothing to do."""
    if program == "biber":
        return not bench.read("bcf") or bench.run("biber", bench.job)
    return "\\bibdata" not in bench.read("aux") or bench.run("bibtex", f"{bench.job}.aux")


def _tex_error(bench: _Bench) -> Diagnostic | None:
    log = bench.read("log")
    if "==> Fatal error" not in log or "TeX capacity exceeded" in log:
        return None
    return next(iter(read_diagnostics({f"{bench.job}.log": log}, bench.job)), None)
