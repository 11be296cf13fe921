"""Harbor's task folder (schema 1.4): the form that Harbor, Tinker, verifiers and OpenEnv read unchanged."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from lattice_env.errors import PackageError
from lattice_env.model import Files, Task
from lattice_env.verifier.engines import spec_json
from lattice_env.verifier.entry import checked_spec
from lattice_env.verifier.intake import read_submission
from lattice_env.verifier.latex import decode, is_utf8
from lattice_env.verifier.selftests import Case, cases_json, read_cases
from lattice_env.verifier.spec import SpecError, TaskSpec
from lattice_env.verifier.toolchain import TOOLCHAIN

from .pin import Pin
from .served import ARTIFACTS, SERVED, SERVERS, served_files

TEMPLATE = Path(__file__).parent / "template"
DOCKER = Path(__file__).parent.parent / "docker"
"""The Dockerfiles of the images, by name."""
VERIFIER = Path(__file__).parent.parent / "verifier"
ORGANISATION = "lattice"
WORKSPACE = "environment/workspace"
_PLACED = "COPY workspace /app\nWORKDIR /app\n"
SCRIPTS = ("test.sh", "solve.sh")
"""Files that are executable in a package."""

_TASK_TOML = """\
schema_version = "1.4"
artifacts = {artifacts}

[task]
name = {name}
description = {description}
keywords = [{medium}, {family}]

[metadata]
id = {id}
family = {family}
family_version = {version}
operator = {operator}
category = {category}
tier = {tier}
seed = {seed}
licence = {licence}
redistributable = {redistributable}
verifier = {verifier}
{provenance}
[environment]
build_timeout_sec = 1800.0
cpus = 1
memory_mb = 4096
storage_mb = 10240
network_mode = "no-network"
workdir = "/app"
{servers}
[agent]
timeout_sec = 1200.0

[verifier]
environment_mode = "separate"
timeout_sec = 300.0

[solution]
"""


@dataclass(frozen=True)
class Medium:
    """What the documents of some families are, and the images that agents work on them in."""

    document: str
    dockerfiles: Mapping[str, Path]
    """File in `environment/` → the image that it begins with."""


MEDIA = {
    "latex": Medium(
        "LaTeX paper",
        {"Dockerfile": DOCKER / "texlive.Dockerfile", "Dockerfile.debian": DOCKER / "debian.Dockerfile"},
    ),
    "text": Medium("document of plain text", {"Dockerfile": TEMPLATE / "Dockerfile.text"}),
    "picture": Medium("picture of a formula", {"Dockerfile": TEMPLATE / "Dockerfile.text"}),
    SERVED: Medium("document of plain text behind a server", {}),
}


@dataclass(frozen=True)
class Package:
    """A task folder that was read and found whole."""

    folder: Path
    spec: TaskSpec
    workspace: Files
    cases: tuple[Case, ...]

    @property
    def tests(self) -> Path:
        """The folder of the verifier."""
        return self.folder / "tests"


def package_files(task: Task[TaskSpec], pin: Pin | None = None) -> dict[str, bytes]:
    """Every file of a task's folder by path; the same task and pin give the same bytes."""
    tests = _test_files(task) | ({TOOLCHAIN: pin.to_json().encode()} if pin else {})
    files = _dockerfiles(task.medium, pin) | {
        "task.toml": _task_toml(task).encode(),
        "instruction.md": task.instruction.encode(),
    }
    if task.medium == SERVED:
        files |= served_files(task)
    else:
        files |= {"solution/solve.sh": _template("solve.sh"), "solution/fix.json": _fix(task)}
    spec = replace(task.spec, manifest=_digests(tests), package=_digests(files))
    files |= {"tests/task.json": spec_json(spec).encode()}
    files |= {f"{WORKSPACE}/{path}": data for path, data in task.start.items()}
    files |= {f"tests/{path}": data for path, data in tests.items()}
    return dict(sorted(files.items()))


def _digests(files: Files) -> dict[str, str]:
    return {path: hashlib.sha256(data).hexdigest() for path, data in sorted(files.items())}


def _test_files(task: Task[TaskSpec]) -> dict[str, bytes]:
    files = {name: _template(name) for name in ("test.sh", "verify.py", "selftest.py")}
    sources = sorted((path.relative_to(VERIFIER).as_posix(), path) for path in VERIFIER.rglob("*.py"))
    files |= {f"lattice_verifier/{name}": path.read_bytes() for name, path in sources}
    files |= {f"initial/{path}": decode(data).encode() for path, data in task.spec.initial.items()}
    files |= {f"original/{path}": decode(data).encode() for path, data in task.spec.original.items()}
    kinds = dict.fromkeys(case.kind for case in task.cases)
    groups = {kind: [case for case in task.cases if case.kind == kind] for kind in kinds}
    return files | {f"selftests/{kind}.json": cases_json(cases).encode() for kind, cases in groups.items()}


def _dockerfiles(medium: str, pin: Pin | None) -> dict[str, bytes]:
    """The workspace put into the published image; where none is named, into an image that each task builds."""
    if pin and pin.image and medium != SERVED:
        return {"environment/Dockerfile": f"FROM {pin.image}\n{_PLACED}".encode()}
    texts = {name: place.read_text("utf-8") for name, place in MEDIA[medium].dockerfiles.items()}
    return {f"environment/{name}": f"{text}{_PLACED}".encode() for name, text in texts.items()}


def _template(name: str) -> bytes:
    return (TEMPLATE / name).read_bytes()


def _task_toml(task: Task[TaskSpec]) -> str:
    words = {
        "name": f"{ORGANISATION}/{task.name}",
        "description": f"{task.family} in a {MEDIA[task.medium].document}",
        "medium": task.medium,
        "id": task.spec.task,
        "family": task.family,
        "operator": task.operator,
        "category": task.category,
        "seed": task.seed,
        "licence": task.licence,
        "verifier": task.spec.verifier,
    }
    quoted = {key: json.dumps(word, ensure_ascii=False) for key, word in words.items()}
    flags = {"tier": task.tier, "version": task.version, "redistributable": str(task.redistributable).lower()}
    lines = (f"{name} = {json.dumps(word, ensure_ascii=False)}\n" for name, word in sorted(task.provenance.items()))
    provenance = "".join(["\n[metadata.provenance]\n", *lines]) if task.provenance else ""
    served = task.medium == SERVED
    access = {"artifacts": ARTIFACTS if served else '["/app"]', "servers": SERVERS if served else ""}
    return _TASK_TOML.format(**quoted, **flags, **access, provenance=provenance)


def _fix(task: Task[TaskSpec]) -> bytes:
    """The reference repair as data for `solve.sh`."""
    encodings = {path: _encoding(task.start[path]) for path in {edit.file for edit in task.repair}}
    edits = [vars(edit) for edit in task.repair]
    return (json.dumps({"edits": edits, "encodings": encodings}, indent=1, sort_keys=True) + "\n").encode()


def _encoding(data: bytes) -> str:
    return "utf-8" if is_utf8(data) else "latin-1"


def _differing(found: Mapping[str, str], wanted: Mapping[str, str]) -> list[str]:
    return sorted(path for path in found.keys() | wanted.keys() if found.get(path) != wanted.get(path))


def write_package(task: Task[TaskSpec], folder: Path, pin: Pin | None = None) -> None:
    """Write a task's folder, whole or not at all: it is made beside its place and moved there."""
    write_files(package_files(task, pin), folder)


def write_files(files: Mapping[str, bytes], folder: Path) -> None:
    """Write `files` as `folder`, which must not exist yet, in one step; PackageError where the disk will not."""
    scratch = folder.with_name(f".{folder.name}.part")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        if scratch.exists():
            shutil.rmtree(scratch)
        for path, data in files.items():
            target = scratch / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
            target.chmod(0o755 if target.name in SCRIPTS else 0o644)
        scratch.rename(folder)
    except OSError as error:
        shutil.rmtree(scratch, ignore_errors=True)
        message = f"{folder}: cannot be written: {error.strerror or error}"
        raise PackageError(message) from error


def checked_package(folder: Path) -> TaskSpec:
    """The spec of a task folder whose tests are as they were made; PackageError says what is not."""
    if not (folder / "tests" / "task.json").is_file():
        message = f"{folder}: not a task folder: no tests/task.json"
        raise PackageError(message, hint="generate makes task folders")
    try:
        return checked_spec(folder / "tests")
    except SpecError as error:
        raise PackageError(str(error), hint="generate the task again") from error


def read_package(folder: Path) -> Package:
    """A task folder, read and checked: tests and workspace are as they were made."""
    spec = checked_package(folder)
    submission = read_submission(folder / WORKSPACE)
    whole = read_submission(folder.resolve())
    outside = {path: data for path, data in whole.files.items() if not path.startswith((f"{WORKSPACE}/", "tests/"))}
    wrong = [f"{WORKSPACE}/{path}" for path in _differing(_digests(submission.files), spec.files)]
    wrong += _differing(_digests(outside), spec.package)
    wrong += [finding.file for finding in whole.findings]
    if wrong:
        message = f"{folder}: not as the task was made: {', '.join(wrong[:5])}"
        raise PackageError(message, hint="generate the task again")
    try:
        cases = tuple(read_cases(folder / "tests" / "selftests"))
    except SpecError as error:
        raise PackageError(str(error)) from error
    return Package(folder, spec, submission.files, cases)
