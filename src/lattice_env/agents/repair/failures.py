"""The first failure of a build: its class and place, what may be done about it here, and when a person must decide."""

from __future__ import annotations

import posixpath
import re
from dataclasses import asdict, dataclass

from lattice_env.model import Files
from lattice_env.verifier.build import Built
from lattice_env.verifier.diagnostics import classify
from lattice_env.verifier.latex import Document, decode

from .log import Stop, read_log

INSTALL, EDIT, PERSON = "install", "edit", "person"


@dataclass(frozen=True)
class Class:
    """What may be done about one class of failure (see lattice_env.verifier.diagnostics.CLASSES)."""

    name: str
    action: str
    """INSTALL a package, EDIT a source, or leave it to a PERSON."""
    why: str = ""
    """Why a person must decide."""


RESOURCE = "resource"
"""The class of what ran out of time, memory or room."""

PERSONS = {
    "shell-escape": "the paper asks for shell escape: whether its programs may run is for a person to say",
    "engine": "a package is for another engine or driver: which one the paper is for, its authors know",
    "font": "a font or its encoding is not on this machine: another one would change every page",
    RESOURCE: "the build ran out of time or memory",
}
"""Classes of which a person must decide, and why."""

MISSING_PACKAGE = "missing-package"
"""The class for which a package is installed; a source is edited for all others."""

OF_REASON = {
    RESOURCE: Class(RESOURCE, PERSON, "the build ran out of time, memory or room"),
    "no-pdf": Class("no-pdf", PERSON, "the build ended without an error and without a PDF"),
    "rewritten": Class("rewritten", PERSON, "the paper rewrote its own sources while it was built"),
}
"""Failures that no message tells."""


@dataclass(frozen=True)
class Failure:
    """The first failure of one build: its class, and the place where TeX met it."""

    kind: str
    message: str
    file: str
    """Below the project's folder; empty where TeX was in no file of the project."""
    line: int
    source: str
    """The text of that line."""
    stop: Stop
    action: str
    why: str

    @property
    def same(self) -> tuple[str, str, str]:
        """What two failures share that are the same one: class, file, content of the line."""
        return self.kind, self.file, self.source or self.message

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}: " if self.file else ""
        return f"{place}{self.message}"

    def to_json(self) -> dict[str, object]:
        """The failure as plain data."""
        body = asdict(self)
        del body["stop"]
        return body


def class_of(message: str) -> Class:
    """The class of a message."""
    name = classify(message)
    if name in PERSONS:
        return Class(name, PERSON, PERSONS[name])
    return Class(name, INSTALL if name == MISSING_PACKAGE else EDIT)


def first_failure(built: Built, files: Files, base: str, job: str) -> Failure:
    """The failure that a failed build stopped at; `base` is the folder, below the project's, in which it ran."""
    if built.reason in OF_REASON:
        one = OF_REASON[built.reason]
        return Failure(one.name, one.why, "", 0, "", Stop(one.why, "", 0), one.action, one.why)
    stop = _first_stop(built, job)
    one = class_of(stop.message)
    file = posixpath.normpath(posixpath.join(base, stop.file)) if stop.file else ""
    if file not in files:
        file = f"{file}.bib" if f"{file}.bib" in files else ""
    source = Document(file, decode(files[file])).line_text(stop.line) if file else ""
    return Failure(one.name, stop.message, file, stop.line, source, stop, one.action, one.why)


def _first_stop(built: Built, job: str) -> Stop:
    """TeX's first error; the bibliography program's where TeX had none, or what there is."""
    stops = read_log(built.products.get(f"{job}.log", ""))
    telling = [stop for stop in stops if not re.match(r"Emergency stop|==>", stop.message)]
    bibliography = [d for d in built.diagnostics if d.kind == "bibliography"]
    if built.reason == "bibliography" and bibliography:
        first = bibliography[0]
        return Stop(first.message, first.file, first.line)
    for stop in (*telling, *stops):
        return stop
    for first in built.diagnostics:
        return Stop(first.message, first.file, first.line)
    return Stop("the build failed and said nothing", "", 0)
