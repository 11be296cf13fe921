"""A set of submissions judged side by side, into one file that can be gone on with."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from lattice_env.errors import DataError, UsageError
from lattice_env.executors import Executor, in_order
from lattice_env.journal import Row, append, open_journal, read_journal, replace_journal
from lattice_env.verifier.judge import verifier_digest
from lattice_env.verifier.store import write_whole
from lattice_env.verifier.verdict import INFRA_ERROR, PASSED, Verdict

from .work import How, Known, judge


@dataclass(frozen=True)
class Entry:
    """One submission: its name, unique in its set, its task's folder name, and the folder to judge."""

    id: str
    task: str
    workspace: Path


Report = Callable[[Row, int, int], None]
"""Told of each submission that is done: its row, how many are done, how many there are."""


def read_entries(submissions: Path) -> list[Entry]:
    """The submissions of `TASK/ATTEMPT/` folders, or of a file with `{"id", "task", "workspace"}` a line.

    A relative workspace is found from the file's folder. Raises UsageError where there is none, DataError for a line
    that says something else or an id that is there twice.
    """
    entries = list(_of_folder(submissions) if submissions.is_dir() else _of_file(submissions))
    if not entries:
        message = f"{submissions}: no submission"
        raise UsageError(message, hint="TASK/ATTEMPT/ folders, or a line {id, task, workspace} for each")
    seen: set[str] = set()
    for entry in entries:
        if entry.id in seen:
            message = f"{submissions}: two submissions are called {entry.id!r}"
            raise DataError(message)
        seen.add(entry.id)
    return entries


def _of_folder(folder: Path) -> Iterator[Entry]:
    for task in sorted(path for path in folder.iterdir() if path.is_dir()):
        for attempt in sorted(path for path in task.iterdir() if path.is_dir()):
            yield Entry(f"{task.name}/{attempt.name}", task.name, attempt)


def _of_file(path: Path) -> Iterator[Entry]:
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        message = f"{path}: cannot be read: {error}"
        raise UsageError(message) from error
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield _entry(line, f"{path}:{number}", path.parent)


def _entry(line: str, place: str, folder: Path) -> Entry:
    try:
        body: Any = json.loads(line)
        words = [body[name] for name in ("id", "task", "workspace")]
    except (ValueError, TypeError, KeyError) as error:
        message = f"{place}: expected an object with id, task and workspace: {error!r}"
        raise DataError(message) from error
    if not all(isinstance(word, str) and word for word in words):
        message = f"{place}: id, task and workspace must be text"
        raise DataError(message)
    return Entry(words[0], words[1], folder / words[2])


def verify_batch(
    tasks: Mapping[str, Path],
    entries: Sequence[Entry],
    out: Path,
    *,
    executor: Executor,
    how: How,
    report: Report,
) -> list[Row]:
    """Judge every submission with this version's verifier and write `out`, a line for each in their order.

    What `out`, or a run that was interrupted, says already is kept where it is this verifier's verdict on this very
    submission; what could not be judged is tried again. Raises UsageError for a task that is not among `tasks`
    (folder name → folder) and where another run writes `out`.
    """
    unknown = sorted({entry.task for entry in entries} - tasks.keys())
    if unknown:
        message = f"no task is called {unknown[0]!r}"
        raise UsageError(message)
    part = out.with_name(f"{out.name}.part")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        journal = open_journal(part)
    except OSError as error:
        message = f"{part}: cannot be written: {error.strerror}"
        raise UsageError(message) from error
    try:
        known = {row["id"]: row for row in [*read_journal(out), *read_journal(part)] if _is_of_now(row)}
        journal = replace_journal(journal, known.values())
        rows = list(_judge_all(tasks, entries, known, journal, executor, how, report))
        write_whole(out, "".join(json.dumps(dict(row), sort_keys=True) + "\n" for row in rows))
        part.unlink()
    except OSError as error:
        message = f"{out}: cannot be written: {error.strerror}"
        raise UsageError(message, hint="the same command goes on where it ended") from error
    finally:
        journal.close()
    return rows


def _judge_all(
    tasks: Mapping[str, Path],
    entries: Sequence[Entry],
    known: Mapping[str, Row],
    journal: TextIO,
    executor: Executor,
    how: How,
    report: Report,
) -> Iterator[Row]:
    work = (
        (tasks[entry.task].resolve(), entry.workspace.resolve(), how, _known(known.get(entry.id))) for entry in entries
    )
    verdicts = in_order(executor, judge, work)
    for done, (entry, verdict) in enumerate(zip(entries, verdicts, strict=True), 1):
        row = known[entry.id] if verdict is None else _row(entry, verdict)
        if verdict is not None:
            append(journal, row)
        report(row, done, len(entries))
        yield row


def _row(entry: Entry, verdict: Verdict) -> Row:
    return {"id": entry.id, "task": entry.task, "verdict": json.loads(verdict.to_json())}


def _is_of_now(row: Row) -> bool:
    """Whether a row is a verdict of this version's verifier; what it could not judge is none."""
    verdict = row.get("verdict", {})
    return verdict.get("verifier") == verifier_digest() and verdict.get("status") != INFRA_ERROR


def _known(row: Row | None) -> Known | None:
    """What a row is the verdict on, where its digest tells all: a folder with odd entries is judged again."""
    if row is None:
        return None
    verdict = row["verdict"]
    plain = any((gate["name"], gate["state"]) == ("import", PASSED) for gate in verdict["gates"])
    return (verdict["task"], verdict["submission"]) if plain else None
