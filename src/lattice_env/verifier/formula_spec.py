"""The verifier's private spec of a transcription task: the formula in the picture, and how an answer is paid."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any

from .spec import checked_object
from .transcription import Knobs

FAMILIES = ("latex-ocr",)
PICTURE, ANSWER = "formula.png", "answer.tex"


@dataclass(frozen=True)
class FormulaSpec:
    """All that a verdict depends on beside the submitted answer."""

    task: str
    family: str
    version: int
    operator: str
    exact_weight: float
    overlong_ratio: float
    overlong_floor: int
    editable: tuple[str, ...]
    """The answer's file, and no other."""
    files: Mapping[str, str]
    """Every shipped file → SHA-256 of its content."""
    verifier: str = ""
    """SHA-256 of the verifier that the task was admitted with."""
    manifest: Mapping[str, str] = field(default_factory=dict[str, str])
    """Every other file of the package's `tests/` → SHA-256."""
    package: Mapping[str, str] = field(default_factory=dict[str, str])
    """Every file of the package outside of `tests/` and of the workspace → SHA-256."""
    initial: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    """The answer's file as the agent gets it: empty."""
    original: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    """The answer's file with the target."""

    @property
    def root(self) -> str:
        """The answer's file."""
        return self.editable[0]

    @cached_property
    def target(self) -> str:
        """The LaTeX that the picture was printed from."""
        return self.original[self.root].decode("utf-8")

    @property
    def knobs(self) -> Knobs:
        """What the reward's formula takes; ValueError where no reward can be made of it."""
        return Knobs(self.exact_weight, self.overlong_ratio, self.overlong_floor)


def spec_body(spec: FormulaSpec) -> dict[str, Any]:
    """The content of `task.json`, but for the answer's file before and after."""
    body = {item.name: getattr(spec, item.name) for item in fields(spec) if item.name not in ("initial", "original")}
    return body | {name: dict(body[name]) for name in ("files", "manifest", "package")}


def identity(spec: FormulaSpec) -> str:
    """SHA-256 over all that makes a task what it is: two tasks with one identity are one task."""
    body = spec_body(spec)
    for name in ("task", "verifier", "manifest", "package"):
        del body[name]
    body["target"] = hashlib.sha256(spec.original[spec.root]).hexdigest()
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode("utf-8", "surrogateescape")).hexdigest()


_SHAPE: dict[str, type] = {
    "task": str,
    "family": str,
    "version": int,
    "operator": str,
    "exact_weight": float,
    "overlong_ratio": float,
    "overlong_floor": int,
    "editable": list,
    "files": dict,
    "verifier": str,
    "manifest": dict,
    "package": dict,
}


def read_body(body: object, tests: Path) -> FormulaSpec:
    """The spec that `task.json` and the answers beside it hold; ValueError or OSError where they are not whole."""
    table = checked_object(body, _SHAPE, "task.json")
    words = {"editable": table["editable"]} | {name: table[name].values() for name in ("files", "manifest", "package")}
    for place, values in words.items():
        if not all(type(value) is str for value in values):
            message = f"{place}: expected text"
            raise ValueError(message)
    table["editable"] = tuple(table["editable"])
    if len(table["editable"]) != 1:
        raise ValueError("editable: an answer is one file")
    name = table["editable"][0]
    before, after = ({name: (tests / state / name).read_bytes()} for state in ("initial", "original"))
    spec = FormulaSpec(**table, initial=before, original=after)
    _ = spec.target, spec.knobs  # both raise ValueError for what no verdict can rest on
    return spec
