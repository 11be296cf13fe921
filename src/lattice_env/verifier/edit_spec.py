"""The verifier's private spec of a doc-edit task: the lines that have to change, and what each of them shows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any

from .spec import checked_object

FAMILIES = ("reference-and-update", "audit-and-correct")


@dataclass(frozen=True)
class Shown:
    """One value on a line that has to change."""

    fact: str
    style: str
    """The format in which the line shows it: usd, iso, words, …"""
    hop: int
    """How many formulas lie between it and the fact that changed, or that was drawn: 0 for the fact itself."""
    role: str
    """direct, derived, or echo of either."""
    forms: tuple[str, ...]
    """The right value in every format."""


@dataclass(frozen=True)
class Site:
    """A line that has to change."""

    page: str
    line: int
    shows: tuple[Shown, ...]
    """What on it has to change."""


@dataclass(frozen=True)
class Decoy:
    """A stretch of a line that looks as if it had to change, and must not."""

    page: str
    line: int
    fact: str
    text: str


@dataclass(frozen=True)
class EditSpec:
    """All that a verdict depends on beside the submitted pages."""

    task: str
    family: str
    version: int
    genre: str
    locale: str
    level: str
    operator: str
    """What was changed: `update:freight`, `corrupt:order_total`."""
    request: str
    """What the agent is asked to do, without a word on how it gets at the pages."""
    max_turns: int
    editable: tuple[str, ...]
    """The pages, in their order."""
    files: Mapping[str, str]
    """Every shipped file → SHA-256 of its content."""
    sites: tuple[Site, ...]
    decoys: tuple[Decoy, ...]
    verifier: str = ""
    """SHA-256 of the verifier that the task was admitted with."""
    manifest: Mapping[str, str] = field(default_factory=dict[str, str])
    """Every other file of the package's `tests/` → SHA-256."""
    package: Mapping[str, str] = field(default_factory=dict[str, str])
    """Every file of the package outside of `tests/` and of the workspace → SHA-256."""
    initial: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    """The pages as the agent gets them."""
    original: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    """The pages as they must read in the end."""

    @property
    def root(self) -> str:
        """The first page."""
        return self.editable[0]

    @cached_property
    def before(self) -> tuple[str, ...]:
        """All lines as the agent gets them, page after page, spaced as `plain` has it."""
        return tuple(plain(line) for page in self.editable for line in lines_of(self.initial[page]))

    @cached_property
    def after(self) -> tuple[str, ...]:
        """All lines as they must read; as many as `before`."""
        return tuple(plain(line) for page in self.editable for line in lines_of(self.original[page]))

    @cached_property
    def site_at(self) -> Mapping[int, Site]:
        """Index of a line in `before` → the site that it is."""
        starts: dict[str, int] = {}
        total = 0
        for page in self.editable:
            starts[page] = total
            total += len(lines_of(self.initial[page]))
        return {starts[site.page] + site.line - 1: site for site in self.sites}


def lines_of(data: bytes) -> list[str]:
    """The lines of a page; bytes that are no UTF-8 are shown as such, and so are like no line of ours."""
    return data.decode("utf-8", "replace").removesuffix("\n").split("\n")


def plain(line: str) -> str:
    """A line with single spaces: how far a table pads a value is not what is asked."""
    return " ".join(word for word in line.split(" ") if word) if "  " in line or line[:1] == " " else line.rstrip(" ")


def spec_body(spec: EditSpec) -> dict[str, Any]:
    """The content of `task.json`, but for the pages."""
    body = {item.name: getattr(spec, item.name) for item in fields(spec) if item.name not in ("initial", "original")}
    body |= {name: [asdict(item) for item in body[name]] for name in ("sites", "decoys")}
    return body | {name: dict(body[name]) for name in ("files", "manifest", "package")}


def identity(spec: EditSpec) -> str:
    """SHA-256 over all that makes a task what it is: two tasks with one identity are one task."""
    body = spec_body(spec)
    for name in ("task", "verifier", "manifest", "package"):
        del body[name]
    body["after"] = {page: hashlib.sha256(data).hexdigest() for page, data in spec.original.items()}
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode("utf-8", "surrogateescape")).hexdigest()


_SHAPE: dict[str, type] = {
    "task": str,
    "family": str,
    "version": int,
    "genre": str,
    "locale": str,
    "level": str,
    "operator": str,
    "request": str,
    "max_turns": int,
    "editable": list,
    "files": dict,
    "sites": list,
    "decoys": list,
    "verifier": str,
    "manifest": dict,
    "package": dict,
}
_SITE = {"page": str, "line": int, "shows": list}
_SHOWN = {"fact": str, "style": str, "hop": int, "role": str, "forms": list}
_DECOY = {"page": str, "line": int, "fact": str, "text": str}


def read_body(body: object, tests: Path) -> EditSpec:
    """The spec that `task.json` and the pages beside it hold; ValueError or OSError where they are not whole."""
    table = checked_object(body, _SHAPE, "task.json")
    table["sites"] = tuple(_site(item) for item in table["sites"])
    table["decoys"] = tuple(Decoy(**checked_object(item, _DECOY, "decoys")) for item in table["decoys"])
    words = {"editable": table["editable"]} | {name: table[name].values() for name in ("files", "manifest", "package")}
    for place, values in words.items():
        if not all(type(value) is str for value in values):
            message = f"{place}: expected text"
            raise ValueError(message)
    table["editable"] = tuple(table["editable"])
    initial, original = (
        {page: (tests / state / page).read_bytes() for page in table["editable"]} for state in ("initial", "original")
    )
    spec = EditSpec(**table, initial=initial, original=original)
    if len(spec.before) != len(spec.after):
        message = "the pages before and after are not of one length"
        raise ValueError(message)
    return spec


def _site(body: object) -> Site:
    table = checked_object(body, _SITE, "sites")
    return Site(table["page"], table["line"], tuple(map(_shown, table["shows"])))


def _shown(body: object) -> Shown:
    table = checked_object(body, _SHOWN, "sites.shows")
    table["forms"] = tuple(map(str, table["forms"]))
    return Shown(**table)
