"""Preference data from annotation rounds: read on the writer's machine, scrubbed, written to a folder, never sent."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from lattice_env.errors import UsageError
from lattice_env.packages.harbor import write_files

from .consent import FILES, PASSAGES, clear
from .names import printed_names
from .output import TABLES, export_files
from .project import read_project
from .rows import Export, Row, file_rows, label_rows, text_rows
from .scrub import make_scrubber

__all__ = ["TABLES", "export_preferences"]


def export_preferences(
    folder: Path, out: Path, *, level: int, writer: str | None = None, withdrawn: Iterable[str] = (), salt: str = ""
) -> Export:
    """Write the preferences of the paper in `folder` to the new folder `out`, whole or not at all.

    Without a salt, ids are hashed under a digest of the annotations themselves: stable for one state of the project,
    and not to be guessed by anybody who does not have it. Raises DataError for annotations that contradict
    themselves, UsageError for a level that the writer did not consent to.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        message = f"{out} is there already"
        raise UsageError(message, hint="name a new folder")
    project = read_project(folder)
    cleared = clear(project, level, writer, withdrawn)
    texts = {text for turn in project.rounds.values() for files in (turn.before, turn.after) for text in files.values()}
    paths = {path for turn in project.rounds.values() for path in (*turn.before, *turn.after)}
    printed = set[str]().union(*map(printed_names, sorted(texts)))
    hidden = paths if level < FILES else ()
    scrubber = make_scrubber(project.people.values(), printed, hidden)
    export = Export(project, cleared, level, salt or project.digest, scrubber)
    files = export_files(export, _tables(export))
    if out.is_dir():
        out.rmdir()
    write_files(files, out)
    return export


def _tables(export: Export) -> dict[str, list[Row]]:
    tables = {"labels": list(label_rows(export))}
    if export.level >= PASSAGES:
        tables["preference"], tables["unpaired-preference"] = text_rows(export)
    if export.level >= FILES:
        tables["files"] = list(file_rows(export))
    return {name: sorted(rows, key=_place) for name, rows in tables.items()}


def _place(row: Row) -> tuple[str, ...]:
    """Where a row stands in its table: by what its ids are hashed to, which tells nothing of their order."""
    return tuple(str(row.get(name, "")) for name in ("annotation", "round", "path"))
