"""Whether a repository may be mined: its licence file, and what that allows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from lattice_env.errors import UsageError

from .history import Entry, History

_FILE = re.compile(r"(?:un)?licen[cs]e(?:[-.].*)?|copying(?:[-.].*)?", re.IGNORECASE)
_KNOWN = (
    ("CC-BY-NC-ND-4.0", r"Attribution-NonCommercial-NoDerivatives|BY-NC-ND"),
    ("CC-BY-NC-SA-4.0", r"Attribution-NonCommercial-ShareAlike|BY-NC-SA"),
    ("CC-BY-NC-4.0", r"Attribution-NonCommercial|BY-NC\b"),
    ("CC-BY-ND-4.0", r"Attribution-NoDerivatives|BY-ND\b"),
    ("CC-BY-SA-4.0", r"Attribution-ShareAlike|BY-SA\b"),
    ("CC-BY-4.0", r"Creative Commons Attribution|Attribution 4\.0 International|CC[- ]BY\b"),
    ("CC0-1.0", r"CC0 1\.0|Creative Commons Zero"),
    ("Apache-2.0", r"Apache License,?\s+Version 2\.0"),
    ("MIT", r"Permission is hereby granted, free of charge, to any person obtaining a copy"),
    ("BSD-3-Clause", r"Redistribution and use in source and binary forms[\s\S]*Neither the name"),
    ("BSD-2-Clause", r"Redistribution and use in source and binary forms"),
    ("LPPL-1.3c", r"LaTeX Project Public License"),
    ("AGPL-3.0-only", r"GNU AFFERO GENERAL PUBLIC LICENSE"),
    ("LGPL-3.0-only", r"GNU LESSER GENERAL PUBLIC LICENSE"),
    ("GPL-3.0-only", r"GNU GENERAL PUBLIC LICENSE\s+Version 3"),
    ("GPL-2.0-only", r"GNU GENERAL PUBLIC LICENSE\s+Version 2"),
    ("Unlicense", r"free and unencumbered software"),
)
"""(SPDX identifier, what only its text says); the first that matches counts."""

_CLOSED = ("-NC", "-ND", "-SA")
UNKNOWN, NONE = "LicenseRef-unknown", "LicenseRef-none"


@dataclass(frozen=True)
class Licence:
    """What a paper may be used under, and how that is known."""

    name: str
    rule: str
    """`commit`: the file is in the commit's own tree; `descendant`: in a tip's that descends from it; `private`."""
    redistributable: bool
    text: bytes = b""


def identify(text: str) -> str:
    """The SPDX identifier of a licence text; LicenseRef-unknown where it is none that is known."""
    return next((name for name, pattern in _KNOWN if re.search(pattern, text)), UNKNOWN)


def licence_of(history: History, commit: str, tree: Sequence[Entry], folder: str, *, private: bool) -> Licence | None:
    """The licence of the paper in `folder`: the nearest file, of the commit or of a tip; None where it may not be used.

    With `private`, anything may be used, and nothing of it is redistributable.
    """
    found = _read(history, _nearest(tree, folder), "commit")
    for tip in history.tips:
        if found is None and history.has(commit, tip):
            found = _read(history, _nearest(history.tree(tip), folder), "descendant")
    if private:
        found = found or Licence(NONE, "private", redistributable=False)
        return replace(found, rule="private", redistributable=False)
    return None if found is None or any(mark in found.name for mark in _CLOSED) else found


def check_licensed(history: History, *, private: bool) -> None:
    """UsageError unless some tip has a licence file, or the tasks are for private use."""
    if private or any(_FILE.fullmatch(PurePosixPath(e.path).name) for tip in history.tips for e in history.tree(tip)):
        return
    message = f"{history.name}: no licence file"
    raise UsageError(message, hint="--private mines it for your own use; its tasks are marked as not redistributable")


def _nearest(tree: Sequence[Entry], folder: str) -> Entry | None:
    """The licence file in `folder`, or in the nearest folder above it that has one."""
    files = {PurePosixPath(e.path).parent: e for e in reversed(tree) if _FILE.fullmatch(PurePosixPath(e.path).name)}
    place = PurePosixPath(folder or ".")
    return next((files[above] for above in (place, *place.parents) if above in files), None)


def _read(history: History, entry: Entry | None, rule: str) -> Licence | None:
    if entry is None:
        return None
    text = history.read([entry.blob])[entry.blob]
    name = identify(text.decode("utf-8", "replace"))
    return Licence(name, rule, redistributable=name != UNKNOWN, text=text)
