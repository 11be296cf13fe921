"""Which code reads and judges which family's tasks: one engine for each kind of task."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from . import edit_spec, edits, formula_spec, formulas, papers
from . import spec as paper
from .intake import Submission
from .spec import SpecError, TaskSpec
from .store import Store
from .verdict import Verdict

FORMAT = 1


@dataclass(frozen=True)
class Engine:
    """What the families of one kind share; each function takes that kind's spec and no other."""

    families: tuple[str, ...]
    read: Callable[[object, Path], TaskSpec]
    """(`task.json` without its format, the folder that it lies in) → spec; ValueError or OSError."""
    body: Callable[[Any], dict[str, Any]]
    """A spec → `task.json` without its format."""
    identity: Callable[[Any], str]
    judge: Callable[[Any, Submission, Store, dict[str, object]], Verdict]


ENGINES = (
    Engine(paper.FAMILIES, paper.read_body, paper.spec_body, paper.identity, papers.judge),
    Engine(edit_spec.FAMILIES, edit_spec.read_body, edit_spec.spec_body, edit_spec.identity, edits.judge),
    Engine(
        formula_spec.FAMILIES, formula_spec.read_body, formula_spec.spec_body, formula_spec.identity, formulas.judge
    ),
)
"""All engines; no family is in two."""


def engine_of(family: object) -> Engine:
    """The engine of a family; ValueError where there is none."""
    for engine in ENGINES:
        if family in engine.families:
            return engine
    message = f"family: {family!r} is none of {', '.join(name for engine in ENGINES for name in engine.families)}"
    raise ValueError(message)


def identity(spec: TaskSpec) -> str:
    """SHA-256 over all that makes a task what it is: two tasks with one identity are one task."""
    return engine_of(spec.family).identity(spec)


def spec_json(spec: TaskSpec) -> str:
    """`task.json` for a spec; the files before and after lie beside it."""
    return json.dumps({"format": FORMAT, **engine_of(spec.family).body(spec)}, indent=1, sort_keys=True) + "\n"


def read_spec(tests: Path) -> TaskSpec:
    """The spec of the package whose `tests/` folder this is; SpecError where it is not whole."""
    path = tests / "task.json"
    try:
        body = _table(json.loads(path.read_text("utf-8"), parse_constant=_refuse))
        return engine_of(body.get("family")).read(body, tests)
    except (OSError, ValueError) as error:
        message = f"{path}: {error}"
        raise SpecError(message) from error


def _table(body: object) -> dict[str, Any]:
    if not isinstance(body, Mapping):
        message = f"task.json: expected an object, found {type(body).__name__}"
        raise ValueError(message)  # noqa: TRY004 - read_spec makes one error of all that is wrong in a file
    table = dict(cast("Mapping[str, Any]", body))
    if table.pop("format", None) != FORMAT:
        message = f"format: only {FORMAT} is known"
        raise ValueError(message)
    return table


def _refuse(word: str) -> None:
    message = f"{word} is no value here"
    raise ValueError(message)
