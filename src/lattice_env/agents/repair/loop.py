"""The loop: compile the root, classify one failure, take one bounded action, compile the same root, stop or repeat."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from lattice_env.errors import DataError
from lattice_env.model import Files
from lattice_env.verifier import sandbox
from lattice_env.verifier.store import digest
from lattice_env.verifier.toolchain import Toolchain
from lattice_env.verifier.verdict import InfraError

from .compiler import Compiled, compile_root, draft
from .edits import Edit, replace_lines, unified
from .failures import INSTALL, PERSON, RESOURCE, Failure
from .guard import Refusal, check_edit, check_place
from .packages import Installed, Recovery, no_recovery
from .policy import GiveUp, Policy, Situation
from .project import Project, sha256, write_source
from .report import write_report
from .roots import Roots
from .trace import DIFF, FIRST_LOG, LAST_LOG, START, Trace, pdf_name, write_file, write_manifest

SUCCESS, UNRESOLVED, PERSON_NEEDED = "success", "unresolved", "person_needed"
AMBIGUOUS_ROOT, NO_ROOT, UNWRITTEN, INFRA_ERROR = "ambiguous_root", "no_root", "unwritten", "infra_error"

VERSION = 1


@dataclass(frozen=True)
class Limits:
    """The caps of one run."""

    edits: int = 8
    installs: int = 4
    proposals: int = 3
    """Edits that a policy may propose for one failure, the refused ones included."""
    seconds: float = 900.0
    """After this much time no further action is begun."""


@dataclass(frozen=True)
class Result:
    """What a run came to. `success` is only ever a fresh PDF of the root, built without an error."""

    status: str
    reason: str
    root: str
    edits: int
    installs: int
    compiles: int
    first: str
    last: str
    """The first failure and the one that is left; empty where there was none."""
    pdf: str
    """SHA-256 of the PDF; empty without success."""
    seconds: float
    """Of the whole run, but for the pictures of its report."""
    compiling: float
    """Seconds of the builds; the rest is the loop's own and the policy's."""
    deciding: float
    """Seconds that the policy took."""


@dataclass(frozen=True)
class Setting:
    """What a run is given beside the paper."""

    policy: Policy
    policy_name: str
    tools: Callable[[], Toolchain]
    recover: Recovery = no_recovery
    tree: Path | None = None
    """The managed tree, where there is one: what `recover` installs into and `tools` builds with."""
    limits: Limits = field(default_factory=Limits)
    spent: Callable[[], Mapping[str, float]] = dict
    """What the policy has spent so far, for the trace."""
    say: Callable[[str], None] = lambda _line: None
    """Hears a line for each step."""


@dataclass
class _Run:
    project: Project
    setting: Setting
    root: str
    trace: Trace
    files: dict[str, bytes]
    compiled: Compiled | None = None
    first: Compiled | None = None
    seen: set[str] = field(default_factory=set[str])
    edits: int = 0
    installs: int = 0
    compiles: int = 0
    compiling: float = 0.0
    deciding: float = 0.0
    unwritten: str = ""


def repair(project: Project, roots: Roots, folder: Path, setting: Setting) -> Result:
    """Repair the root of a project within the caps; the evidence goes to `folder`, which is new and empty.

    An edit reaches the project only after the root was built with it and the failure it was made for is gone.
    """
    trace = Trace(folder)
    run = _Run(project, setting, roots.root, trace, dict(project.files))
    for path, data in project.files.items():
        write_file(folder, f"{START}/{path}", data)
    trace.write("start", **_start(run, roots))
    if not roots.root:
        status = AMBIGUOUS_ROOT if roots.candidates else NO_ROOT
        return _end(run, status, "name the root: " + (", ".join(roots.candidates) or "no file has a document class"))
    try:
        return _end(run, *_loop(run))
    except InfraError as error:
        return _end(run, INFRA_ERROR, str(error))


def _start(run: _Run, roots: Roots) -> Mapping[str, object]:
    return {
        "version": VERSION,
        "root": roots.root,
        "chosen_by": roots.chosen_by,
        "candidates": list(roots.candidates),
        "files": digest(run.files),
        "count": len(run.files),
        "skipped": list(run.project.skipped[:100]),
        "policy": run.setting.policy_name,
        "tree": str(run.setting.tree or ""),
        "limits": asdict(run.setting.limits),
    }


def _loop(run: _Run) -> tuple[str, str]:
    """The status and the reason with which the run ends."""
    failure = _compile(run)
    while failure is not None:
        if failure.action == PERSON:
            return PERSON_NEEDED, failure.why
        if time.monotonic() - run.trace.started > run.setting.limits.seconds:
            return UNRESOLVED, f"the run's {run.setting.limits.seconds:g} seconds are over"
        stopped = _install(run, failure) if failure.action == INSTALL else None
        if stopped or failure.action != INSTALL:
            before = dict(run.files)
            edited = _edit(run, failure)
            if isinstance(edited, str):
                return _unresolved(stopped, edited)
        else:
            before, edited = dict(run.files), None
        again = _compile(run)
        if again is not None and again.same == failure.same:
            if edited is not None:
                run.files = before
                run.trace.write("revert", file=edited.file, files=digest(before))
            return UNRESOLVED, f"the same failure again: {again}"
        if edited is not None:
            _write(run, edited)
        failure = again
    if run.unwritten:
        return UNWRITTEN, f"{run.unwritten} cannot be written: the repair is in {DIFF} alone"
    return SUCCESS, ""


def _unresolved(stopped: tuple[str, str] | None, why: str) -> tuple[str, str]:
    """How a run ends without an action: as the missing package says, where one is missing."""
    return stopped or (UNRESOLVED, why)


def _compile(run: _Run) -> Failure | None:
    tools = run.setting.tools()
    started = time.monotonic()
    try:
        compiled = compile_root(run.files, run.root, tools)
    except InfraError:
        run.compiling += time.monotonic() - started
        raise
    if compiled.root != run.root:
        message = f"the root was {run.root} and is {compiled.root}"
        raise DataError(message)
    run.compiles += 1
    run.compiling += compiled.seconds
    run.compiled = compiled
    run.first = run.first or compiled
    run.seen.add(digest(run.files))
    failure = compiled.failure
    run.trace.write(
        "compile",
        root=compiled.root,
        files=digest(run.files),
        built=not failure,
        failure=failure.to_json() if failure else None,
        log=compiled.log_digest,
        pdf=sha256(compiled.pdf) if compiled.pdf else "",
        toolchain=tools.fingerprint,
        sandbox=sandbox.kind(),
        seconds=round(compiled.seconds, 3),
    )
    run.setting.say(f"compile {run.root}: {failure or 'a PDF without an error'}")
    return failure


def _edit(run: _Run, failure: Failure) -> Edit | str:
    """The edit that was made in the copy, or why none was."""
    if run.edits >= run.setting.limits.edits:
        return f"the cap of {run.setting.limits.edits} edits is reached"
    refused: list[tuple[Edit, Refusal]] = []
    assert run.compiled is not None  # noqa: S101 - an edit is asked for after a build only
    while len(refused) < run.setting.limits.proposals:
        situation = Situation(run.files, run.root, run.compiled, failure, tuple(refused))
        started = time.monotonic()
        answer = run.setting.policy(situation)
        run.deciding += time.monotonic() - started
        if isinstance(answer, GiveUp):
            run.trace.write("give-up", reason=answer.reason, spent=dict(run.setting.spent()))
            return answer.reason
        refusal = check_place(run.project.folder, run.files, answer) or check_edit(run.files, answer)
        after = run.files if refusal else run.files | {answer.file: replace_lines(run.files[answer.file], answer)}
        if not refusal and digest(after) in run.seen:
            refusal = Refusal("oscillation", "the paper was in this state before")
        if not refusal:
            _record(run, answer, failure, after)
            return answer
        run.trace.write("refused", edit=answer.to_json(), code=refusal.code, reason=refusal.reason)
        run.setting.say(f"refused an edit of {answer.file}:{answer.first}: {refusal.reason}")
        refused.append((answer, refusal))
    return f"no edit passed the guard: {refused[-1][1].reason}"


def _record(run: _Run, edit: Edit, failure: Failure, after: Files) -> None:
    run.trace.write(
        "edit",
        tool="replace_lines",
        spent=dict(run.setting.spent()),
        kind=failure.kind,
        edit=edit.to_json(),
        diff=unified(run.files, after),
        file_before=sha256(run.files[edit.file]),
        file_after=sha256(after[edit.file]),
        files_before=digest(run.files),
        files_after=digest(after),
    )
    run.setting.say(f"edit {edit.file}:{edit.first}: {edit.why}")
    run.files = dict(after)
    run.edits += 1


def _write(run: _Run, edit: Edit) -> None:
    """Put an edit that helped into the project, where the file is still what was read."""
    place = run.project.folder / edit.file
    try:
        unchanged = sha256(place.read_bytes()) == edit.read
    except OSError:
        unchanged = False
    done = not run.unwritten and unchanged and write_source(run.project.folder, edit.file, run.files[edit.file])
    run.unwritten = run.unwritten or ("" if done else edit.file)
    run.trace.write("write", file=edit.file, done=done, file_after=sha256(run.files[edit.file]))


def _install(run: _Run, failure: Failure) -> tuple[str, str] | None:
    """None where the package that holds the missing file was installed; else how the run ends."""
    if run.installs >= run.setting.limits.installs:
        return UNRESOLVED, f"the cap of {run.setting.limits.installs} packages is reached"
    answer = run.setting.recover(failure)
    if not isinstance(answer, Installed):
        run.trace.write("not-installed", reason=answer.reason)
        run.setting.say(f"not installed: {answer.reason}")
        return PERSON_NEEDED, answer.reason
    run.installs += 1
    for path, data in answer.files.items():
        write_file(run.trace.folder, f"packages/{run.installs}/{path}", data)
    digests = {path: sha256(data) for path, data in answer.files.items()}
    run.trace.write("install", file=answer.file, package=answer.package, files=digests)
    run.setting.say(f"installed {answer.package}, which holds {answer.file}")
    return None


def _before(run: _Run) -> bytes:
    """The pages of the paper as it was, for the report: what TeX makes of them past the errors; empty for none."""
    if run.first is None or run.first.failure is None:
        return run.first.pdf if run.first else b""
    if run.first.failure.kind == RESOURCE:
        return b""
    try:
        return draft(run.project.files, run.root, run.setting.tools())
    except (InfraError, OSError):
        return b""


def _end(run: _Run, status: str, reason: str) -> Result:
    """Close the evidence."""
    folder, last = run.trace.folder, run.compiled
    pdf = last.pdf if last and status in (SUCCESS, UNWRITTEN) else b""
    if pdf:
        write_file(folder, pdf_name(run.root), pdf)
    difference = unified(run.project.files, run.files).encode()
    logs = {FIRST_LOG: run.first.log if run.first else "", LAST_LOG: last.log if last else ""}
    outputs = {DIFF: difference} | {name: text.encode() for name, text in logs.items()}
    for name, data in outputs.items():
        write_file(folder, name, data)
    result = Result(
        status=status,
        reason=reason,
        root=run.root,
        edits=run.edits,
        installs=run.installs,
        compiles=run.compiles,
        first=str(run.first.failure or "") if run.first else "",
        last=str(last.failure or "") if last else "",
        pdf=sha256(pdf) if pdf else "",
        seconds=round(time.monotonic() - run.trace.started, 3),
        compiling=round(run.compiling, 3),
        deciding=round(run.deciding, 3),
    )
    digests = {name: sha256(data) for name, data in outputs.items()}
    run.trace.write("end", files=digest(run.files), evidence=digests, **asdict(result))
    write_report(folder, run.trace.lines, before=_before(run), after=pdf)
    write_manifest(folder)
    return result
