"""A project's annotations and rounds, read strictly: by the JSON schemas of `schema/`, then by what they cannot say."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lattice_env.errors import DataError
from lattice_env.extras import need
from lattice_env.verifier.intake import read_submission
from lattice_env.verifier.latex import decode

EXTRA = "preferences"
SCHEMAS = Path(__file__).parent / "schema"
ACCEPT, PARTIAL, EDITED, REJECT = "accept", "accept-partial", "accept-edited", "reject"


@dataclass(frozen=True)
class Person:
    """Somebody who annotated, replied, or is an author of the paper."""

    id: str
    name: str
    aliases: tuple[str, ...]
    email: str
    consent: int | None
    """The highest level to which this person consented; None for no export at all."""


@dataclass(frozen=True)
class Outcome:
    """What became of the proposal of one round."""

    round: str
    decision: str
    proposed: int
    applied: int


@dataclass(frozen=True)
class Annotation:
    """A writer's wish for a passage, and the agent's latest proposal."""

    id: str
    author: str
    file: str
    start: int
    end: int
    passage: str
    intent: str
    note: str
    replies: tuple[tuple[str, str], ...]
    """(author, text)."""
    outcomes: tuple[Outcome, ...]
    proposal: str | None
    """The latest; None where there was none."""
    reason: str
    settled: str | None
    """What stands in the passage's place now; None where nobody has said."""


@dataclass(frozen=True)
class Round:
    """One round: its agent, and the text of each file before and after."""

    id: str
    is_settled: bool
    agent: str
    model: str
    before: Mapping[str, str]
    after: Mapping[str, str]


@dataclass(frozen=True)
class Project:
    """All that the exporter reads."""

    people: Mapping[str, Person]
    withdrawn: frozenset[str]
    annotations: tuple[Annotation, ...]
    rounds: Mapping[str, Round]
    digest: str
    """SHA-256 of annotations.json: known only to those who have the project."""


def read_project(folder: Path) -> Project:
    """The annotations of a paper's folder; DataError names the file and the place that is not as the schema says."""
    path = folder / ".research" / "annotations.json"
    body, data = _read(path, "annotations")
    people = _unique((_person(item) for item in body["people"]), f"{path}: people")
    annotations = _unique((_annotation(item) for item in body["annotations"]), f"{path}: annotations")
    wanted = dict.fromkeys(outcome.round for note in annotations.values() for outcome in note.outcomes)
    rounds = {name: _read_round(folder / ".research" / "annotation-rounds" / name) for name in wanted}
    withdrawn = frozenset(body.get("withdrawn", ()))
    project = Project(people, withdrawn, tuple(annotations.values()), rounds, hashlib.sha256(data).hexdigest())
    for note in project.annotations:
        wrong = _fault(note, project)
        if wrong:
            message = f"{path}: annotation {note.id}: {wrong}"
            raise DataError(message)
    return project


def _read(path: Path, schema: str) -> tuple[dict[str, Any], bytes]:
    """A JSON file that its schema allows, and its bytes."""
    validator = need("jsonschema", EXTRA).Draft202012Validator
    try:
        data = path.read_bytes()
        body = json.loads(data.decode("utf-8"), parse_constant=_refuse)
        json.dumps(body, ensure_ascii=False).encode("utf-8")
    except (OSError, ValueError) as error:
        message = f"{path}: {error.strerror if isinstance(error, OSError) else error}"
        raise DataError(message, hint="docs/reference/annotations.md describes the files") from error
    rules = json.loads((SCHEMAS / f"{schema}.schema.json").read_text("utf-8"))
    errors: list[Any] = sorted(validator(rules).iter_errors(body), key=lambda error: error.json_path)
    if errors:
        message = f"{path}: {errors[0].json_path}: {errors[0].message}"
        raise DataError(message, hint="docs/reference/annotations.md describes the files")
    return body, data


def _refuse(word: str) -> None:
    message = f"{word} is no value here"
    raise ValueError(message)


def _person(body: Mapping[str, Any]) -> Person:
    aliases = tuple(body.get("aliases", ()))
    return Person(body["id"], body["name"], aliases, body.get("email", ""), body["consent"])


def _annotation(body: Mapping[str, Any]) -> Annotation:
    proposal: Mapping[str, str] = body.get("proposal", {})
    outcomes = tuple(Outcome(**item) for item in body["rounds"])
    text, decision = proposal.get("text"), outcomes[-1].decision if outcomes else REJECT
    settled = {ACCEPT: text, REJECT: body["passage"]}
    names = ("id", "author", "file", "start", "end", "passage", "intent", "note")
    return Annotation(
        **{name: body[name] for name in names},
        replies=tuple((reply["author"], reply["text"]) for reply in body.get("replies", ())),
        outcomes=outcomes,
        proposal=text,
        reason=proposal.get("reason", ""),
        settled=settled[decision] if decision in settled else proposal.get("settled"),
    )


def _unique[T: (Person, Annotation)](items: Iterable[T], place: str) -> dict[str, T]:
    found: dict[str, T] = {}
    for item in items:
        if item.id in found:
            message = f"{place}: two are called {item.id}"
            raise DataError(message)
        found[item.id] = item
    return found


def _read_round(folder: Path) -> Round:
    body, _ = _read(folder / "round.json", "round")
    if body["id"] != folder.name:
        message = f"{folder / 'round.json'}: $.id: {body['id']!r} is not the folder's name"
        raise DataError(message)
    before, after = (_read_files(folder / state) for state in ("before", "after"))
    return Round(body["id"], body["settled"], body["agent"]["name"], body["agent"]["model"], before, after)


def _read_files(folder: Path) -> dict[str, str]:
    """The text of every source below a folder; links are refused, other files left alone."""
    submission = read_submission(folder)
    if submission.findings:
        first = submission.findings[0]
        message = f"{folder / first.file}: {first.code} {first.text}"
        raise DataError(message)
    return {path: decode(data) for path, data in sorted(submission.files.items()) if b"\0" not in data}


def _fault(note: Annotation, project: Project) -> str:
    """What contradicts itself in an annotation; empty where nothing does."""
    if note.author not in project.people:
        return f"nobody is called {note.author}"
    wrong = next((outcome for outcome in note.outcomes if not _is_consistent(outcome)), None)
    if wrong:
        return f"round {wrong.round}: {wrong.decision} with {wrong.applied} of {wrong.proposed} hunks applied"
    if not note.outcomes:
        return ""
    latest = project.rounds[note.outcomes[-1].round]
    if note.file not in latest.before:
        return f"{note.file} is not in round {latest.id}"
    if latest.before[note.file][note.start : note.end] != note.passage:
        return f"the passage does not stand at {note.start} to {note.end} of {note.file} in round {latest.id}"
    missing = "proposal" if note.proposal is None else "proposal.settled" if note.settled is None else ""
    return f"{missing} is missing" if missing else ""


def _is_consistent(outcome: Outcome) -> bool:
    applied, proposed = outcome.applied, outcome.proposed
    return {
        ACCEPT: applied == proposed,
        PARTIAL: 0 < applied < proposed,
        EDITED: 0 < applied <= proposed,
        REJECT: applied == 0,
    }[outcome.decision]
