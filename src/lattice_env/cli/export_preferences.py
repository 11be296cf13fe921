"""`lattice-env export-preferences`."""

from __future__ import annotations

import json as json_format
from pathlib import Path

from rich.table import Table

from lattice_env.analysis.preferences import export_preferences as export
from lattice_env.errors import UsageError

from .places import err
from .places import out as console


def export_preferences(
    project: Path,
    *,
    out: Path,
    level: int,
    writer: str | None = None,
    withdrawn: Path | None = None,
    salt: str = "",
    json: bool = False,
) -> int:
    """Turn a paper's annotation rounds into preference data for training. Nothing is uploaded.

    OUT gets each table as JSON lines and as Parquet, a data card and a scrub report. Read them before you share them: a
    program finds addresses, secrets and known names, and not everything that a person would.

    Parameters
    ----------
    project
        The paper's folder: the one with .research/annotations.json.
    out
        The folder for the export: new or empty.
    level
        0: labels and counts. 1: passages, proposals and notes too. 2: context and whole files too.
    writer
        Only the annotations of this writer, by id.
    withdrawn
        A text file with the ids of people or annotations that must not be used, one a line.
    salt
        Ids are hashed under it: keep one, and keep it secret, to join several exports.
    json
        Print the scrub report as JSON instead of a table.
    """
    gone = _read_ids(withdrawn) if withdrawn else ()
    export(project, out, level=level, writer=writer, withdrawn=gone, salt=salt)
    report = json_format.loads((out / "scrub-report.json").read_text("utf-8"))
    err().print(f"{out} is on this machine only; read it before you share it", markup=False)
    if json:
        print(json_format.dumps(report, indent=1, sort_keys=True))
        return 0
    table = Table("what", "which", "count")
    for what in ("rows", "replaced", "left_out", "labels_only"):
        for which, count in report[what].items():
            table.add_row(what.replace("_", " "), which, str(count))
    console().print(table)
    return 0


def _read_ids(path: Path) -> list[str]:
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, ValueError) as error:
        message = f"{path}: cannot be read: {error}"
        raise UsageError(message) from error
    return [line.strip() for line in lines if line.strip()]
