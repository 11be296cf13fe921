"""Whose data may be exported at a level, and what is left out for whose sake."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from lattice_env.errors import UsageError

from .project import Annotation, Project

LEVELS = (0, 1, 2)
LABELS, PASSAGES, FILES = LEVELS
"""0: labels and counts; 1: passages, proposals, notes; 2: context and whole files too."""

RUN = 6
"""Words in a row that two texts do not have in common by chance."""


@dataclass(frozen=True)
class Cleared:
    """What may be exported."""

    annotations: tuple[Annotation, ...]
    left_out: Counter[str]
    """Reason → how many annotations were left out for it."""
    closed_files: frozenset[str]
    """Files in which somebody without enough consent has an annotation: they give no context, and are not exported."""


def clear(project: Project, level: int, writer: str | None, withdrawn: Iterable[str]) -> Cleared:
    """The annotations that may be exported at `level`; UsageError for a writer who is unknown or did not consent."""
    gone = project.withdrawn | frozenset(withdrawn)
    if level not in LEVELS:
        message = f"--level must be one of {', '.join(map(str, LEVELS))}, not {level}"
        raise UsageError(message)
    if writer is not None:
        _check_writer(project, level, writer, gone)
    closed = [note for note in project.annotations if not _consents(note, project, level, gone)]
    reasons = {note.id: _reason(note, project, level, writer, gone, closed) for note in project.annotations}
    kept = tuple(note for note in project.annotations if not reasons[note.id])
    left_out = Counter(reason for reason in reasons.values() if reason)
    return Cleared(kept, left_out, frozenset(note.file for note in closed))


def _check_writer(project: Project, level: int, writer: str, gone: frozenset[str]) -> None:
    if writer not in project.people:
        message = f"no writer is called {writer!r}"
        raise UsageError(message, hint=f"known: {', '.join(sorted(project.people))}")
    consent = project.people[writer].consent
    if writer in gone or consent is None or consent < level:
        given = "withdrew" if writer in gone else f"consented to level {consent}" if consent is not None else "did not"
        message = f"{writer} has not consented to level {level}: {given}"
        raise UsageError(message, hint="export at a level that the writer consented to")


def _consents(note: Annotation, project: Project, level: int, gone: frozenset[str]) -> bool:
    consent = project.people[note.author].consent
    return consent is not None and consent >= level and not gone & {note.id, note.author}


def _reason(
    note: Annotation, project: Project, level: int, writer: str | None, gone: frozenset[str], closed: list[Annotation]
) -> str:
    """Why an annotation is left out; empty where it is not."""
    if gone & {note.id, note.author}:
        return "withdrawn"
    if note in closed:
        return "no consent to this level"
    if writer is not None and note.author != writer:
        return "another writer"
    if not any(project.rounds[outcome.round].is_settled for outcome in note.outcomes):
        return "no settled round"
    if level >= PASSAGES and any(_overlaps(note, other) for other in closed):
        return "overlaps a passage without consent"
    return ""


def _overlaps(note: Annotation, other: Annotation) -> bool:
    """Whether two annotations share text: by place within one round, else by the words that they have in common."""
    if note.file != other.file:
        return False
    same_round = note.outcomes and other.outcomes and note.outcomes[-1].round == other.outcomes[-1].round
    if same_round and note.start < other.end and other.start < note.end:
        return True
    theirs = frozenset[tuple[str, ...]]().union(*map(_runs, _texts(other)))
    return any(theirs & _runs(text, length) for text in _texts(note) for length in {len(run) for run in theirs})


def _texts(note: Annotation) -> tuple[str, ...]:
    return note.passage, note.proposal or "", note.settled or ""


def _runs(text: str, length: int = RUN) -> frozenset[tuple[str, ...]]:
    """Every run of words of a text; a shorter text of several words is one run."""
    words = text.split()
    length = min(length, len(words))
    return frozenset(tuple(words[i : i + length]) for i in range(len(words) - length + 1) if length > 1)
