"""Drift: what a paper's old machine had and this one lacks, the same for the broken and for the repaired paper.

An overlay may draw a figure, stand in for a package or a generated file, and define a command that such a file would
have defined. It never touches what the commit changed: a fault must not disappear because of it.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from lattice_env.model import Files
from lattice_env.seeds.placeholders import draw_placeholder
from lattice_env.verifier.build import build, job_name
from lattice_env.verifier.diagnostics import Diagnostic, first_line
from lattice_env.verifier.facts import Outcome
from lattice_env.verifier.intake import check_files
from lattice_env.verifier.latex import Document, decode, encode
from lattice_env.verifier.store import Store
from lattice_env.verifier.toolchain import toolchain

MOST_STEPS = 12
"""Builds spent on one paper's drift."""

STUBS = "lattice-stubs.tex"
"""The file that defines commands; the root reads it first."""

_GRAPHIC = re.compile(
    r"\\(?:includegraphics|plotone|plottwo|epsfig|fig|includesvg)\*?\s*(?:\[[^\]]*\])?\s*\{\s*(?:file=)?([^{},]+?)\s*[,}]"
)
_PATHS = re.compile(r"\\graphicspath\s*\{((?:\s*\{[^{}]*\})+)\s*\}")
_MISSING = re.compile(r"File `([^']+)' not found|Cannot find (?:image )?file `?([^'\s]+)")
_CONTEXT = re.compile(r"Undefined control sequence\.\n.*(\\[A-Za-z]+) *$", re.MULTILINE)
_DRAWN = (".pdf", ".png")
_ENDINGS = ("", ".pdf", ".png", ".jpg", ".jpeg", ".mps")


@dataclass(frozen=True)
class Overlay:
    """What was added, each as a line of a record: `placeholder figures/mass.pdf`, `command \\githash`."""

    files: Files = field(default_factory=dict[str, bytes])
    commands: tuple[str, ...] = ()
    record: tuple[str, ...] = ()

    def put_on(self, files: Files, root: str) -> dict[str, bytes]:
        """A paper with the overlay."""
        whole = {**files, **self.files}
        if self.commands:
            lines = "".join(f"\\providecommand{{{name}}}{{{name[1:]}}}\n" for name in self.commands)
            text = decode(whole[root])
            place = Document(root, text).code.index("\\documentclass")
            stem = STUBS.removesuffix(".tex")
            whole[root] = encode(f"{text[:place]}\\input{{{stem}}}{text[place:]}", whole[root])
            whole[STUBS] = lines.encode()
        return dict(sorted(whole.items()))


@dataclass(frozen=True)
class Mended:
    """A paper that builds with an overlay, or why it does not."""

    overlay: Overlay
    outcome: Outcome
    reason: str


def mend(files: Files, root: str, store: Store, changed: Collection[str]) -> Mended:
    """The smallest overlay found with which a paper builds; `changed` are the words that it must leave alone."""
    overlay = Overlay()
    outcome = store.outcome(files, root)
    for _ in range(MOST_STEPS):
        if not outcome.reason:
            return Mended(overlay, outcome, "")
        grown = _grown(overlay, files, root, outcome, changed)
        if grown is None:
            break
        overlay = grown
        outcome = store.outcome(overlay.put_on(files, root), root)
    said = first_line(outcome.diagnostics) or outcome.reason
    return Mended(overlay, outcome, f"the repaired paper does not build here: {said}" if outcome.reason else "")


def _grown(overlay: Overlay, files: Files, root: str, outcome: Outcome, changed: Collection[str]) -> Overlay | None:
    """The overlay with what the first error asks for; None where it asks for nothing that may be given."""
    first = outcome.diagnostics[0] if outcome.diagnostics and outcome.reason == "tex" else None
    if first is None:
        return None
    missing = _MISSING.search(first.message)
    if missing:
        return _with_file(overlay, files, missing[1] or missing[2])
    command = _undefined(first, overlay.put_on(files, root), root)
    if command and command not in {*changed, *overlay.commands} and STUBS not in files and "/" not in root:
        commands = (*overlay.commands, command)
        return replace(overlay, commands=commands, record=(*overlay.record, f"command {command}"))
    return None


def _undefined(first: Diagnostic, files: Files, root: str) -> str:
    """The command that TeX does not know, which ends the first line of its context; empty for another error."""
    if not first.message.startswith("Undefined control sequence"):
        return ""
    log = build(files, root, toolchain()).products.get(f"{job_name(root)}.log", "")
    found = _CONTEXT.search(log)
    return found[1] if found else ""


def _with_file(overlay: Overlay, files: Files, name: str) -> Overlay | None:
    """The overlay with a stand-in for a missing file: all missing figures at once, a package, or an empty source."""
    there = {**files, **overlay.files}
    drawn = {path for path in missing_figures(there) if not check_files({path: b""})}
    if any(PurePosixPath(path).stem == PurePosixPath(name).stem for path in drawn):
        added = {path: draw_figure(path) for path in sorted(drawn)}
        return _add(overlay, added, "placeholder")
    ending = PurePosixPath(name).suffix
    if name in there or check_files({name: b""}) or ending not in (".sty", ".tex"):
        return None
    package = f"\\ProvidesPackage{{{PurePosixPath(name).stem}}}\n" if ending == ".sty" else "\\relax\n"
    return _add(overlay, {name: package.encode()}, "stub")


def _add(overlay: Overlay, added: Files, kind: str) -> Overlay:
    record = (*overlay.record, *(f"{kind} {path}" for path in added))
    return replace(overlay, files={**overlay.files, **added}, record=record)


def missing_figures(files: Files) -> set[str]:
    """The paths under which the figures that a paper shows and does not have would be found."""
    sources = [Document(path, decode(data)) for path, data in files.items() if path.endswith(".tex")]
    folders = [""]
    for document in sources:
        for match in _PATHS.finditer(document.code):
            folders += [folder.removeprefix("./") for folder in re.findall(r"\{\s*([^{}]*?)\s*\}", match[1])]
    found: set[str] = set()
    for document in sources:
        for match in _GRAPHIC.finditer(document.code):
            name = match[1].removeprefix("./")
            there = any(f"{folder}{name}{ending}" in files for folder in folders for ending in _ENDINGS)
            ending = PurePosixPath(name).suffix.lower()
            if not there and "\\" not in name and ending not in (".eps", ".jpg", ".jpeg"):
                found.add(name if ending in _DRAWN else f"{name}.pdf")
    return found


def draw_figure(path: str) -> bytes:
    """A placeholder in the format that the path asks for: a framed page of PDF, or a grey PNG."""
    if path.lower().endswith(".png"):
        return _grey_png(300, 200)
    return draw_placeholder(300, 200, f"Placeholder: {PurePosixPath(path).stem}")


def _grey_png(width: int, height: int) -> bytes:
    """A PNG of one grey."""
    rows = (b"\0" + b"\xc0" * width) * height
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )
