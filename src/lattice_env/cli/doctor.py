"""The command that tells what this machine has and lacks."""

from __future__ import annotations

import dataclasses
import json as codec
import sys
from collections.abc import Sequence
from typing import Annotated

from cyclopts import Parameter
from rich.table import Table
from rich.text import Text

from lattice_env.doctor import Part, examine, is_ready
from lattice_env.errors import MissingTool

from .places import out, store_folder


def doctor(*, json: Annotated[bool, Parameter(help="Print JSON instead of a table.")] = False) -> int:
    """Tell what this machine has and lacks: TeX, a sandbox, Harbor, containers.

    Each missing part is listed with what it switches off and how to get it. Ends with exit code 0 if
    all needed parts are there, and 3 if one is missing. Nothing is installed or changed.
    """
    parts = examine(store_folder())
    if json:
        sys.stdout.write(_text(parts))
    else:
        out().print(_table(parts))
    return 0 if is_ready(parts) else MissingTool.exit_code


def _text(parts: Sequence[Part]) -> str:
    whole = {"ready": is_ready(parts), "parts": [dataclasses.asdict(part) for part in parts]}
    return codec.dumps(whole, indent=2, ensure_ascii=False) + "\n"


def _table(parts: Sequence[Part]) -> Table:
    table = Table(box=None, pad_edge=False)
    for heading in ("part", "state", "found"):
        table.add_column(heading, no_wrap=heading != "found", overflow="fold")
    for part in parts:
        table.add_row(part.name, _state(part), _found(part))
    return table


def _state(part: Part) -> Text:
    if part.ok:
        return Text("ok", style="green")
    return Text("missing", style="bold red") if part.needed else Text("absent", style="yellow")


def _found(part: Part) -> Text:
    """What was found, or what its absence costs. As Text, since hints hold brackets, which rich reads."""
    if part.ok:
        return Text(part.found)
    lines = (part.found, f"without it: {part.without}" if part.without else "", part.hint)
    return Text("\n".join(line for line in lines if line))
