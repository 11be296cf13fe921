"""Whether a run's evidence holds: its chain, its files, and the run itself, done again step by step."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from lattice_env.errors import DataError
from lattice_env.verifier import sandbox
from lattice_env.verifier.store import digest
from lattice_env.verifier.toolchain import Toolchain, toolchain

from .compiler import compile_root
from .edits import Edit, replace_lines, unified
from .guard import check_edit
from .loop import SUCCESS, UNWRITTEN
from .project import read_project, sha256
from .trace import DIFF, FIRST_LOG, LAST_LOG, MANIFEST, START, manifest_faults, pdf_name, read_trace
from .tree import MARKER, tree_tools

type Line = Mapping[str, Any]


@dataclass(frozen=True)
class Checked:
    """What a check found: no faults, and the run is what it says it is."""

    faults: tuple[str, ...]
    finished: bool
    steps: int
    compiled: int
    notes: tuple[str, ...] = ()
    """What could not be compared here, such as another TeX."""


@dataclass
class _Replay:
    folder: Path
    files: dict[str, bytes]
    first: dict[str, bytes]
    root: str
    tree: Path | None
    earlier: dict[str, bytes] = field(default_factory=dict[str, bytes])
    """The files before the last edit."""
    logs: list[str] = field(default_factory=list[str])
    pdf: bytes = b""
    built: bool = False
    compiled: int = 0
    notes: list[str] = field(default_factory=list[str])


def check_run(folder: Path, *, say: Callable[[str], None] = lambda _line: None) -> Checked:
    """Check a run's evidence; DataError where there is none. Raises InfraError where nothing can be built here."""
    lines, faults = read_trace(folder)
    finished = bool(lines) and lines[-1]["event"] == "end"
    if finished and not (folder / MANIFEST).is_file():
        faults.append(f"the run ended and has no {MANIFEST}")
    elif (folder / MANIFEST).is_file():
        faults += manifest_faults(folder)
        faults += [] if finished else ["the run has a manifest and no end"]
    if faults or not lines:
        return Checked(tuple(faults or ["the trace is empty"]), finished, len(lines), 0)
    with contextlib.ExitStack() as stack:
        tree = _tree_at_start(lines, stack)
        return _replayed(folder, lines, finished=finished, tree=tree, say=say)


def _replayed(
    folder: Path, lines: Sequence[Line], *, finished: bool, tree: Path | None, say: Callable[[str], None]
) -> Checked:
    start = dict(read_project(folder / START).files) if (folder / START).is_dir() else {}
    replay = _Replay(folder, start, dict(start), str(lines[0].get("root", "")), tree)
    faults: list[str] = []
    for line in lines:
        say(f"step {line['step']}: {line['event']}")
        try:
            found = list(_STEPS.get(str(line["event"]), _unknown)(replay, line))
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            found = [f"the line cannot be read: {error!r}"]
        if found:
            faults = [f"step {line['step']} ({line['event']}): {fault}" for fault in found]
            break
    return Checked(tuple(faults), finished, len(lines), replay.compiled, tuple(dict.fromkeys(replay.notes)))


def _tree_at_start(lines: Sequence[Line], stack: contextlib.ExitStack) -> Path | None:
    """A copy, beside it, of the run's managed tree as it was: without what the run installed."""
    named = str(lines[0].get("tree") or "")
    if not named:
        return None
    source = Path(named)
    if not (source / MARKER).is_file():
        message = f"the managed tree of the run, {source}, is not there"
        raise DataError(message)
    scratch = stack.enter_context(tempfile.TemporaryDirectory(prefix="lattice-check-", dir=source.parent))
    copy = Path(scratch) / "tree"
    shutil.copytree(source, copy)
    (copy / "web2c" / "texmf.cnf").write_text(f"TEXMFAUXTREES = {copy},\n", "utf-8")
    for line in lines:
        for path in line.get("files", {}) if line["event"] == "install" else ():
            (copy / path).unlink(missing_ok=True)
    for listing in copy.rglob("ls-R"):
        listing.unlink()
    return copy


def _tools(replay: _Replay) -> Toolchain:
    return tree_tools(replay.tree) if replay.tree else toolchain()


def _start(replay: _Replay, line: Line) -> Iterator[str]:
    if digest(replay.files) != line["files"]:
        yield f"the files of {START} are not those the run began with"
    if line["root"] and line["root"] not in replay.files:
        yield f"the root {line['root']} is not among them"


def _compile(replay: _Replay, line: Line) -> Iterator[str]:
    if line["root"] != replay.root:
        yield f"the root is {line['root']}, and the run's is {replay.root}"
        return
    if digest(replay.files) != line["files"]:
        yield "the files are others than those that were built"
        return
    tools = _tools(replay)
    compiled = compile_root(replay.files, replay.root, tools)
    replay.compiled += 1
    replay.logs.append(compiled.log)
    replay.pdf, replay.built = compiled.pdf, compiled.failure is None
    if replay.built != line["built"]:
        yield f"the build ends otherwise here: {compiled.failure or 'a PDF without an error'}"
        return
    failure = compiled.failure.to_json() if compiled.failure else None
    if failure != line["failure"]:
        yield f"the failure is another: {compiled.failure}"
    same = tools.fingerprint == line["toolchain"] or replay.tree
    if not same or sandbox.kind() != line["sandbox"]:
        replay.notes.append("another TeX or sandbox built the run: its PDF and logs are not compared byte for byte")
        return
    if (sha256(compiled.pdf) if compiled.pdf else "") != line["pdf"]:
        yield "the PDF is another"
    if not replay.tree and compiled.log_digest != line["log"]:
        yield "the log is another"


def _edit(replay: _Replay, line: Line) -> Iterator[str]:
    edit = Edit(**cast("dict[str, Any]", line["edit"]))
    before = replay.files
    if sha256(before[edit.file]) != edit.read or line["file_before"] != edit.read:
        yield f"{edit.file} is not what was edited"
        return
    refusal = check_edit(before, edit)
    if refusal:
        yield f"the guard refuses the edit: {refusal.reason}"
        return
    replay.earlier = before
    replay.files = before | {edit.file: replace_lines(before[edit.file], edit)}
    if sha256(replay.files[edit.file]) != line["file_after"] or digest(replay.files) != line["files_after"]:
        yield f"the edit gives another {edit.file}"
    if unified(before, replay.files) != line["diff"]:
        yield "the diff is not that of the edit"


def _revert(replay: _Replay, line: Line) -> Iterator[str]:
    replay.files = replay.earlier
    if digest(replay.files) != line["files"]:
        yield "the files are others than those before the edit"


def _install(replay: _Replay, line: Line) -> Iterator[str]:
    if replay.tree is None:
        yield "a package was installed, and the run names no managed tree"
        return
    count = sum(1 for _ in (replay.folder / "packages").iterdir())
    number = next((n for n in range(1, count + 1) if _holds(replay.folder / "packages" / str(n), line["files"])), 0)
    if not number:
        yield f"the files of {line['package']} are not in the run"
        return
    for path in line["files"]:
        target = replay.tree / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((replay.folder / "packages" / str(number) / path).read_bytes())


def _holds(folder: Path, files: Mapping[str, str]) -> bool:
    return all((folder / path).is_file() and sha256((folder / path).read_bytes()) == files[path] for path in files)


def _end(replay: _Replay, line: Line) -> Iterator[str]:
    if digest(replay.files) != line["files"]:
        yield "the run ends with other files"
    claims = line["status"] in (SUCCESS, UNWRITTEN)
    if claims and not replay.built:
        yield f"the run says {line['status']}, and its last build failed"
    pdf = replay.folder / pdf_name(replay.root) if replay.root else None
    if claims and (pdf is None or not pdf.is_file() or sha256(pdf.read_bytes()) != line["pdf"]):
        yield "the PDF of the run is not there, or is another"
    for name, content in line["evidence"].items():
        path = replay.folder / name
        if not path.is_file() or sha256(path.read_bytes()) != content:
            yield f"{name} is not what the trace says"
    for name, number in ((FIRST_LOG, 0), (LAST_LOG, -1)):
        if replay.logs and not replay.notes and not replay.tree and replay.logs[number] != _text(replay.folder / name):
            yield f"{name} is not the log of that build"
    if unified(replay.first, replay.files) != _text(replay.folder / DIFF):
        yield f"{DIFF} is not what was changed"


def _text(path: Path) -> str:
    return path.read_bytes().decode()


def _nothing(_replay: _Replay, _line: Line) -> Iterator[str]:
    return iter(())


def _unknown(_replay: _Replay, line: Line) -> Iterator[str]:
    yield f"no step is called {line['event']}"


_STEPS: Mapping[str, Callable[[_Replay, Line], Iterator[str]]] = {
    "start": _start,
    "compile": _compile,
    "edit": _edit,
    "revert": _revert,
    "install": _install,
    "end": _end,
    "refused": _nothing,
    "give-up": _nothing,
    "not-installed": _nothing,
    "write": _nothing,
}
