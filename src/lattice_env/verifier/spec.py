"""The verifier's private spec of a task: `task.json`, with the editable files before and after the fault."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Protocol, cast

from .latex import Document, decode, is_utf8

ENGINES = ("pdflatex",)
BIBLIOGRAPHIES = ("bibtex", "biber")
FAMILIES = ("build-repair", "mined", "reference-hygiene", "silent-change")
BROKEN = ("build-repair", "mined")
"""The families whose papers do not build as they are shipped."""


class TaskSpec(Protocol):
    """What the spec of every family has: the identity of the task, its files, and the package's digests."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    @property
    def task(self) -> str:
        """SHA-256 of the task's content: its identity."""
        ...

    @property
    def family(self) -> str:
        """Its family's name."""
        ...

    @property
    def version(self) -> int:
        """Its family's version."""
        ...

    @property
    def operator(self) -> str:
        """What was done to the document; the agent is not told."""
        ...

    @property
    def root(self) -> str:
        """The file that the document begins with."""
        ...

    @property
    def editable(self) -> tuple[str, ...]:
        """The files that an agent may edit."""
        ...

    @property
    def files(self) -> Mapping[str, str]:
        """Every shipped file → SHA-256 of its content."""
        ...

    @property
    def verifier(self) -> str:
        """SHA-256 of the verifier that the task was admitted with."""
        ...

    @property
    def manifest(self) -> Mapping[str, str]:
        """Every other file of the package's `tests/` → SHA-256."""
        ...

    @property
    def package(self) -> Mapping[str, str]:
        """Every file of the package outside of `tests/` and of the workspace → SHA-256."""
        ...

    @property
    def initial(self) -> Mapping[str, bytes]:
        """The editable files as they are shipped."""
        ...

    @property
    def original(self) -> Mapping[str, bytes]:
        """The editable files as they are right."""
        ...


class SpecError(Exception):
    """A spec that does not parse: names the file, the key and what is wrong with it."""


@dataclass(frozen=True)
class Change:
    """One place of a fault: the file, the line in the shipped file, the text before and after."""

    file: str
    line: int
    before: str
    after: str
    scar: str
    """The faulty place in the shipped file, with a little of what stands around it."""
    heal: str = ""
    """The same place in the original, where only its very text can tell that it is repaired; else empty."""


@dataclass(frozen=True)
class Fault:
    """What was done to the paper."""

    operator: str
    changes: tuple[Change, ...]
    names: tuple[str, ...] = ()
    """Names that the fault broke and that nothing in the paper defines: `citte`, `itemise`, `fig:ghost`."""


@dataclass(frozen=True)
class Decoy:
    """An unusual but correct construct, which no repair needs to touch."""

    file: str
    text: str


@dataclass(frozen=True)
class Spec:
    """All that a verdict depends on beside the submitted files."""

    task: str
    family: str
    version: int
    root: str
    engine: str
    bibliography: str
    editable: tuple[str, ...]
    files: Mapping[str, str]
    """Every shipped file → SHA-256 of its content."""
    budget: int
    """Largest edit allowed, in tokens."""
    reference_size: int
    """Size of the reference repair, in tokens."""
    fault: Fault
    decoy: Decoy
    verifier: str = ""
    """SHA-256 of the verifier that the task was admitted with."""
    manifest: Mapping[str, str] = field(default_factory=dict[str, str])
    """Every other file of the package's `tests/` → SHA-256."""
    package: Mapping[str, str] = field(default_factory=dict[str, str])
    """Every file of the package outside of `tests/` and of the workspace → SHA-256."""
    initial: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    original: Mapping[str, bytes] = field(default_factory=dict[str, bytes])

    @property
    def operator(self) -> str:
        """The operator that broke the paper."""
        return self.fault.operator

    @cached_property
    def initial_documents(self) -> Mapping[str, Document]:
        """The editable files as they were shipped, by path."""
        return {path: Document(path, decode(self.initial[path])) for path in self.editable}

    @cached_property
    def original_documents(self) -> Mapping[str, Document]:
        """The editable files as they were before the fault, by path."""
        return {path: Document(path, decode(self.original[path])) for path in self.editable}


def spec_body(spec: Spec) -> dict[str, Any]:
    """The content of `task.json` for a spec; the files before and after lie beside it."""
    body = {item.name: getattr(spec, item.name) for item in fields(spec) if item.name not in ("initial", "original")}
    changes = [vars(change) for change in spec.fault.changes]
    body["fault"] = {**vars(spec.fault), "changes": changes}
    body["decoy"] = vars(spec.decoy)
    body |= {name: dict(body[name]) for name in ("files", "manifest", "package")}
    return body | {"latin1": sorted(path for path, data in spec.initial.items() if not is_utf8(data))}


def read_body(body: object, tests: Path) -> Spec:
    """The spec that `task.json` and the files beside it hold; ValueError or OSError where they are not whole."""
    fields = _checked(body)
    latin1 = fields.pop("latin1")
    before, after = (
        {name: recoded((tests / state / name).read_bytes(), name in latin1) for name in fields["editable"]}
        for state in ("initial", "original")
    )
    return Spec(**fields, initial=before, original=after)


def recoded(data: bytes, is_latin1: bool) -> bytes:  # noqa: FBT001 - one word of a spec
    """A file of `initial/` or `original/`, which lie there as UTF-8, in the encoding that the paper has."""
    return data.decode("utf-8").encode("latin-1") if is_latin1 else data


def identity(spec: Spec) -> str:
    """SHA-256 over all that makes a task what it is: two tasks with one identity are one task."""
    fault = json.dumps([spec.fault.operator, *(vars(change) for change in spec.fault.changes), *spec.fault.names])
    good = {path: hashlib.sha256(data).hexdigest() for path, data in spec.original.items()}
    numbers = (spec.version, spec.budget, spec.reference_size)
    words = (spec.family, spec.root, spec.engine, spec.bibliography, fault, spec.decoy.file, spec.decoy.text)
    files = (f"{path}\0{value}" for table in (spec.files, good) for path, value in sorted(table.items()))
    text = "\0".join([*words, *map(str, numbers), *spec.editable, *files])
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


_SHAPE: dict[str, type] = {
    "task": str,
    "family": str,
    "version": int,
    "root": str,
    "engine": str,
    "bibliography": str,
    "editable": list,
    "files": dict,
    "budget": int,
    "reference_size": int,
    "fault": dict,
    "decoy": dict,
    "verifier": str,
    "manifest": dict,
    "package": dict,
    "latin1": list,
}


def _checked(body: object) -> dict[str, Any]:
    """The fields of `task.json`, strictly: every key, no other, the right types."""
    fields = checked_object(body, _SHAPE, "task.json")
    for name, allowed in (("engine", ENGINES), ("bibliography", BIBLIOGRAPHIES)):
        if fields[name] not in allowed:
            message = f"{name}: {fields[name]!r} is none of {', '.join(allowed)}"
            raise ValueError(message)
    fault = checked_object(fields["fault"], {"operator": str, "changes": list, "names": list}, "fault")
    shape = {"file": str, "line": int, "before": str, "after": str, "scar": str, "heal": str}
    changes = tuple(Change(**checked_object(item, shape, "fault.changes")) for item in fault["changes"])
    fields["fault"] = Fault(fault["operator"], changes, tuple(fault["names"]))
    fields["decoy"] = Decoy(**checked_object(fields["decoy"], {"file": str, "text": str}, "decoy"))
    fields["editable"] = tuple(fields["editable"])
    words = {"editable": fields["editable"], "fault.names": fault["names"]}
    words |= {name: fields[name].values() for name in ("files", "manifest", "package")}
    for place, values in words.items():
        if not all(type(value) is str for value in values):
            message = f"{place}: expected text"
            raise ValueError(message)
    return fields


def checked_object(body: object, shape: Mapping[str, type], place: str) -> dict[str, Any]:
    """A table with these keys, no other, each of its type; ValueError names the place where it is not."""
    if not isinstance(body, dict):
        message = f"{place}: expected an object, found {type(body).__name__}"
        raise ValueError(message)  # noqa: TRY004 - read_spec makes one error of all that is wrong in a file
    fields = cast("dict[str, Any]", body)
    if fields.keys() != shape.keys():
        message = f"{place}: keys missing or unknown: {sorted(fields.keys() ^ shape.keys())}"
        raise ValueError(message)
    for name, kind in shape.items():
        if type(fields[name]) is not kind:
            message = f"{place}.{name}: expected {kind.__name__}, found {fields[name]!r}"
            raise ValueError(message)
    return dict(fields)
