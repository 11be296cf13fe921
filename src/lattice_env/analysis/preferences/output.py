"""An export as files: each table as JSON lines and as Parquet, a data card, a scrub report."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any

from lattice_env.extras import need

from .project import EXTRA
from .rows import Export, Row
from .scrub import KINDS

TABLES = {
    "labels": "one row an annotation and settled round: what was decided",
    "preference": "prompt, chosen, rejected: TRL's conversational preference format",
    "unpaired-preference": "prompt, completion, label: TRL's conversational unpaired preference format",
    "files": "each round's LaTeX files before and after",
}
_TURNS = ("prompt", "chosen", "rejected", "completion")

_CARD = """\
---
configs:
{configs}
---
# Preferences from annotation rounds

Exported by lattice-env at consent level {level}. Made on the writer's machine; nothing was uploaded.

| table | rows | what |
|---|---|---|
{rows}

Ids are hashes under a salt that is not in this folder{paths}. {texts}
`scrub-report.json` counts what was replaced and what was left out.

Use it as the consent of its writers allows. A writer who withdraws is named to `--withdrawn` and the export made again;
copies of this folder must then be deleted.
"""
_PATHS = ", and so are paths"
_TEXTS = {
    0: "There is no text at this level.",
    1: "Passages, proposals and notes are here without comments and switched-off text; secrets, e-mail addresses, "
    "URLs, paths and known names are replaced. Replies of others than an annotation's author are not here.",
}


def export_files(export: Export, tables: Mapping[str, Sequence[Row]]) -> dict[str, bytes]:
    """Every file of an export by name; a table without rows has none."""
    files: dict[str, bytes] = {}
    filled = {name: rows for name, rows in tables.items() if rows}
    for name, rows in filled.items():
        files[f"{name}.jsonl"] = _jsonl(rows)
        files[f"{name}.parquet"] = _parquet(rows)
    files["README.md"] = _card(export, filled).encode()
    files["scrub-report.json"] = (json.dumps(_report(export, tables), indent=1, sort_keys=True) + "\n").encode()
    return files


def _jsonl(rows: Sequence[Row]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def _parquet(rows: Sequence[Row]) -> bytes:
    """The rows as Parquet, uncompressed, so that every byte of it can be looked at."""
    arrow, parquet = need("pyarrow", EXTRA), need("pyarrow.parquet", EXTRA)
    types: dict[type, Any] = {str: arrow.string(), bool: arrow.bool_(), int: arrow.int64()}
    turns = arrow.list_(arrow.struct([("role", arrow.string()), ("content", arrow.string())]))
    kinds: list[Any] = [(name, turns if name in _TURNS else types[type(value)]) for name, value in rows[0].items()]
    sink = io.BytesIO()
    parquet.write_table(arrow.Table.from_pylist(list(rows), schema=arrow.schema(kinds)), sink, compression="none")
    return sink.getvalue()


def _card(export: Export, tables: Mapping[str, Sequence[Row]]) -> str:
    configs = (f"- config_name: {name}\n  data_files: {name}.parquet" for name in tables)
    rows = (f"| `{name}` | {len(rows)} | {TABLES[name]} |" for name, rows in tables.items())
    return _CARD.format(
        configs="\n".join(configs) or "[]",
        rows="\n".join(rows),
        level=export.level,
        paths="" if export.level > 1 else _PATHS,
        texts=_TEXTS[min(export.level, 1)],
    )


def _report(export: Export, tables: Mapping[str, Sequence[Row]]) -> dict[str, object]:
    """Counts only: how often a mark of what was replaced stands in the tables, what was left out and why."""
    text = "".join(_jsonl(rows).decode() for rows in tables.values())
    return {
        "level": export.level,
        "rows": {name: len(rows) for name, rows in tables.items()},
        "replaced": {kind: text.count(f"[{kind}]") for kind in KINDS},
        "left_out": dict(sorted(export.cleared.left_out.items())),
        "labels_only": dict(sorted(export.skipped.items())),
        "closed_files": len(export.cleared.closed_files),
        "detect_secrets": version("detect-secrets"),
    }
