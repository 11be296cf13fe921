"""One build of the root, in a copy of the project: the pinned build, and what it stopped at."""

from __future__ import annotations

import posixpath
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

from lattice_env.model import Files
from lattice_env.verifier import sandbox
from lattice_env.verifier.build import build, is_product, write_tree
from lattice_env.verifier.store import digest
from lattice_env.verifier.toolchain import Toolchain
from lattice_env.verifier.verdict import InfraError

from .failures import Failure, first_failure
from .project import sha256


@dataclass(frozen=True)
class Compiled:
    """What one build of the root came to: a fresh PDF, or the first failure."""

    root: str
    sources: str
    """Digest of the files that were built."""
    pdf: bytes
    failure: Failure | None
    log: str
    inputs: tuple[str, ...]
    """Files outside the project that the build read, packages and classes among them."""
    seconds: float

    @property
    def log_digest(self) -> str:
        """SHA-256 of the log."""
        return sha256(self.log.encode())


def base_of(root: str) -> str:
    """The folder in which `root` is built: its own, since that is what its paths are relative to."""
    return posixpath.dirname(root)


def below(files: Files, base: str) -> dict[str, bytes]:
    """The files below `base`, by their paths from there."""
    if not base:
        return dict(files)
    prefix = f"{base}/"
    return {path.removeprefix(prefix): data for path, data in files.items() if path.startswith(prefix)}


MANY, MOST = 1000, 2500
"""Above MANY files, those that no build can want are left out; above MOST the sandbox cannot keep them read-only."""

_ENDINGS = tuple(
    f".{ending}"
    for ending in """tex ltx sty cls clo cfg def fd bst bib bbx cbx lbx ldf pdf png jpg jpeg eps tikz pgf csv dat ist
    """.split()
)


def wanted(sources: Files) -> Files:
    """The files that a build may want: all of a small project; of a large one those of TeX's kinds, or named in one.

    Raises InfraError where there are still too many.
    """
    if len(sources) <= MANY:
        return sources
    text = b"\n".join(data for path, data in sources.items() if path.endswith((".tex", ".ltx", ".sty", ".cls")))
    words = set(re.findall(rb"[^\s{}\[\],/]+", text))
    kept = {
        path: data
        for path, data in sources.items()
        if path.endswith(_ENDINGS) or posixpath.basename(path).encode() in words
    }
    if len(kept) > MOST:
        message = (
            f"{len(kept)} files of TeX's kinds lie below the root's folder, more than the {MOST} that one build takes"
        )
        raise InfraError(message)
    return kept


def compile_root(files: Files, root: str, tools: Toolchain) -> Compiled:
    """Build `root` once. Raises InfraError where the machine, not the paper, is at fault."""
    base, name = base_of(root), posixpath.basename(root)
    sources = wanted(below(files, base))
    built = build(sources, name, tools)
    job = posixpath.splitext(name)[0]
    log = built.products.get(f"{job}.log", "")
    bibliography = built.products.get(f"{job}.blg", "")
    failure = first_failure(built, files, base, job) if built.reason else None
    return Compiled(
        root=root,
        sources=digest(sources),
        pdf=built.pdf if not built.reason else b"",
        failure=failure,
        log=f"{log}\n{bibliography}" if bibliography else log,
        inputs=_inputs(built.products.get(f"{job}.fls", "")),
        seconds=built.seconds,
    )


def draft(files: Files, root: str, tools: Toolchain) -> bytes:
    """The PDF that TeX makes of `root` in one pass when it goes on past its errors; empty where it makes none.

    It proves nothing: it shows a person what the pages were like. Raises InfraError where the machine is at fault.
    """
    base, name = base_of(root), posixpath.basename(root)
    sources = {path: data for path, data in wanted(below(files, base)).items() if not is_product(path, name)}
    command = [tools.path("pdflatex"), "-no-shell-escape", "-no-parse-first-line", "-interaction=nonstopmode", name]
    with tempfile.TemporaryDirectory(prefix="lattice-") as scratch:
        tree = Path(scratch) / "tree"
        write_tree(tree, sources)
        sandbox.run(command, tree, tools, Path(scratch) / "output.txt", sorted(sources))
        made = tree / f"{posixpath.splitext(name)[0]}.pdf"
        return made.read_bytes() if made.is_file() and not made.is_symlink() else b""


def _inputs(recorder: str) -> tuple[str, ...]:
    lines = (line.removeprefix("INPUT ") for line in recorder.split("\n") if line.startswith("INPUT /"))
    return tuple(dict.fromkeys(lines))
