"""The pinned build: latexmk on one root, in a fresh copy of the files, the same bytes everywhere."""

from __future__ import annotations

import re
import stat
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from . import sandbox
from .diagnostics import Diagnostic, read_diagnostics
from .toolchain import Toolchain
from .verdict import InfraError
from .warm import State, is_settled, lay_state, read_state

PRODUCTS = (
    "aux bbl bcf blg fdb_latexmk fls glg glo gls idx ilg ind ist loa lof log lol lot nav out pdf pdfsync"
    " run.xml snm synctex synctex.gz toc vrb xdv dvi ps"
).split()

LINKS, MARKS = "links", "marks"
"""The probes: builds of the same files with something added from outside."""

MARK = "QZ"
_PRETEX = {
    LINKS: r"\AddToHook{begindocument/before}{\RequirePackage[hidelinks]{hyperref}}",
    MARKS: r"\makeatletter\def\lattice@mark#1{\expandafter\global\expandafter\let"
    r"\csname lattice@the@#1\expandafter\endcsname\csname the#1\endcsname"
    rf"\expandafter\gdef\csname the#1\endcsname{{{MARK}\csname lattice@the@#1\endcsname}}}}"
    r"\AddToHook{begindocument/end}{\begingroup\let\@elt\lattice@mark\cl@@ckpt\endgroup}\makeatother ",
}
"""What a probe adds: hyperref, under another job name, so that a paper without it has links to be read; or a mark
before every counter's printed form, which is then in whatever LaTeX computes and in nothing that was typed."""

EXACT_TIMES = (
    'no warnings "redefine"; sub get_time_size '
    "{ my @s = Time::HiRes::stat($_[0]); return @s ? ($s[9], $s[7]) : (0, -1); }"
)
"""latexmk 4.79 compares whole seconds and sizes, so that a quick pass that changes one page number in an
`.aux` can look like none, and the PDF then depends on when in a second it ran."""

_PASS = ("-no-shell-escape", "-no-parse-first-line", "-file-line-error")
_PDFLATEX = f"pdflatex {' '.join(_PASS)} %O %S"
_HALTING = ("-interaction=nonstopmode", "-halt-on-error")
MOVED = "moved"
"""Why a build that started from another's state does not count: it did not end in that state."""
_FINISHED = ("Here is how much of TeX's memory", "==> Fatal error", "Emergency stop", "Output written on")


@dataclass(frozen=True)
class Built:
    """What one build left: `reason` is empty for a success."""

    reason: str
    """Empty, or why it failed: tex, bibliography, resource, no-pdf, rewritten; moved."""
    pdf: bytes = b""
    text: str = ""
    """What `pdftotext -layout` reads."""
    products: Mapping[str, str] = field(default_factory=dict[str, str])
    """`.aux`, `.bbl`, `.log`, `.fls` by path, as text."""
    diagnostics: tuple[Diagnostic, ...] = ()
    seconds: float = 0.0
    state: State = field(default_factory=dict[str, bytes])
    """What another build may start from, where it was asked for."""


def is_product(path: str, root: str) -> bool:
    """Whether `path` is what a build of `root` writes: dropped before each build, never judged."""
    name, stem = PurePosixPath(path), PurePosixPath(root).stem
    if name.suffix == ".aux":
        return True
    return len(name.parts) == 1 and any(name.name == f"{stem}.{ending}" for ending in PRODUCTS)


def job_name(root: str, probe: str = "") -> str:
    """The name of what a build writes: the root's, or another where a probe must not meet it."""
    return "shadow" if probe == LINKS else PurePosixPath(root).stem


def build(
    files: Mapping[str, bytes],
    root: str,
    tools: Toolchain,
    *,
    probe: str = "",
    keep: bool = False,
    start: State | None = None,
) -> Built:
    """Build `root` of `files` once, from nothing; `probe` is LINKS, MARKS or empty. `keep` asks for its state.

    With `start`, one pass from the state of another build: any `reason` then says no more than that it does not count.

    Raises InfraError where the machine, not the paper, is at fault.
    """
    started = time.monotonic()
    try:
        with tempfile.TemporaryDirectory(prefix="lattice-") as scratch:
            built = _build_in(Path(scratch), files, root, tools, probe=probe, keep=keep, start=start)
    except OSError as error:
        message = f"the build's folder cannot be written: {error}"
        raise InfraError(message) from error
    return replace(built, seconds=time.monotonic() - started)


def _build_in(
    scratch: Path,
    files: Mapping[str, bytes],
    root: str,
    tools: Toolchain,
    *,
    probe: str,
    keep: bool,
    start: State | None,
) -> Built:
    tree = scratch / "tree"
    sources = {path: data for path, data in files.items() if not is_product(path, root)}
    write_tree(tree, sources)
    job = job_name(root, probe)
    output = scratch / "output.txt"
    lay_state(tree, start or {})
    command = _latexmk if start is None else _last_pass
    ended = sandbox.run(command(tools, root, probe=probe), tree, tools, output, sorted(sources))
    products = _read_products(tree, sources, job)
    reason = _reason(ended, tree, sources, job, products)
    if reason and not sandbox.room_left(scratch):
        message = "the disk is full"
        raise InfraError(message)
    diagnostics = read_diagnostics(products, job)
    if reason:
        return Built(reason, products=products, diagnostics=diagnostics)
    pdf = (tree / f"{job}.pdf").read_bytes()
    if start is not None and not is_settled(tree, sources, start):
        return Built(MOVED)
    text, reason = _text(tree, job, tools, scratch)
    return Built(reason, pdf, text, products, diagnostics, state=read_state(tree, sources) if keep else {})


def _latexmk(tools: Toolchain, root: str, *, probe: str) -> list[str]:
    words = [tools.path("latexmk"), "-norc", "-pdf", "-bibtex", "-recorder", "-e", EXACT_TIMES]
    words += _HALTING
    if probe:
        words += [f"-pdflatex={_PDFLATEX.replace('%S', '%P')}", f"-jobname={job_name(root, probe)}"]
        return [*words, f"-usepretex={_PRETEX[probe]}", root]
    return [*words, f"-pdflatex={_PDFLATEX}", root]


def _last_pass(tools: Toolchain, root: str, *, probe: str) -> list[str]:
    """The pass that latexmk ends with, by itself."""
    words = [tools.path("pdflatex"), *_PASS, *_HALTING, "-recorder"]
    if probe:
        return [*words, f"-jobname={job_name(root, probe)}", rf"{_PRETEX[probe]}\input{{{root}}}"]
    return [*words, root]


def write_tree(tree: Path, sources: Mapping[str, bytes]) -> None:
    """A fresh copy of the sources as `tree`, beside the fresh home that the sandbox expects."""
    for name in ("texmf", "texmf-var", "texmf-config"):
        (tree.parent / "home" / name).mkdir(parents=True, exist_ok=True)
    tree.mkdir()
    for path, data in sources.items():
        target = tree / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


def _read_products(tree: Path, sources: Mapping[str, bytes], job: str) -> dict[str, str]:
    """The readable products by path; the `.aux` of an `\\include` lies beside its source."""
    wanted = [f"{job}.{ending}" for ending in ("log", "fls", "bbl", "blg")]
    wanted += sorted(str(path.relative_to(tree)) for path in tree.rglob("*.aux"))
    return {path: text for path in wanted if path not in sources and (text := _read_text(tree / path))}


def _read_text(path: Path) -> str:
    try:
        regular = stat.S_ISREG(path.lstat().st_mode)
    except FileNotFoundError:
        return ""
    return path.read_bytes().decode("utf-8", "replace") if regular else ""


def _reason(ended: sandbox.Run, tree: Path, sources: Mapping[str, bytes], job: str, products: Mapping[str, str]) -> str:
    log = products.get(f"{job}.log", "")
    if ended.timed_out or "TeX capacity exceeded" in log:
        return "resource"
    if ended.code and not any(mark in log for mark in _FINISHED):
        return "resource" if log else "tex"
    if ended.code:
        tex_failed = re.search(r"^(!|[^\n:]+:\d+: )", log, re.MULTILINE)
        return "tex" if tex_failed else "bibliography"
    if any((tree / path).read_bytes() != data for path, data in sources.items()):
        return "rewritten"
    pdf = tree / f"{job}.pdf"
    return "" if pdf.is_file() and _is_pdf(pdf.read_bytes()) else "no-pdf"


def _is_pdf(data: bytes) -> bool:
    return data.startswith(b"%PDF-") and b"%%EOF" in data[-64:]


def _text(tree: Path, job: str, tools: Toolchain, scratch: Path) -> tuple[str, str]:
    """What pdftotext reads, and why it could not be read: empty, no-pdf or resource."""
    output = scratch / "text.txt"
    command = [tools.path("pdftotext"), "-layout", "-enc", "UTF-8", f"{job}.pdf", "-"]
    ended = sandbox.run(command, tree, tools, output)
    if ended.code:
        return "", "resource" if ended.timed_out else "no-pdf"
    return output.read_text("utf-8", "replace"), ""
