r"""The state in which a build ends, and whether one more pass leaves it as it was.

latexmk runs TeX until nothing changes of what TeX writes for itself: `.aux`, `.toc`, `.out` and their like. A build
that starts from the state in which another ended, makes one pass and leaves that state to the byte, has made the last
pass of a build from nothing; its PDF is that pass's. Every file of the state must have been written anew by the pass:
one that the document no longer writes (`\includeonly`, a list of figures that is gone) would otherwise live on.
"""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

State = Mapping[str, bytes]
"""Path → content of all that a build left, beside its sources, and that its next pass or a report of it reads."""

VOLATILE = (".log", ".fls", ".fdb_latexmk", ".pdf", ".synctex.gz")
"""Endings of what a pass reports and no pass reads."""
OTHERS = (".bbl", ".blg", ".ind", ".ilg", ".gls", ".glg")
"""Endings of what other programs make of what a pass wrote: as long as that stays the same, so do these."""


def read_state(tree: Path, sources: Mapping[str, bytes]) -> State:
    """The state that a build left in its tree."""
    paths = [path for path in sorted(tree.rglob("*")) if path.is_file() and not path.is_symlink()]
    named = {path.relative_to(tree).as_posix(): path for path in paths}
    return {
        name: path.read_bytes() for name, path in named.items() if name not in sources and not name.endswith(VOLATILE)
    }


def lay_state(tree: Path, state: State) -> None:
    """Put a state into a tree of sources, as old as can be: what is written from now on is younger."""
    for name, data in state.items():
        path = tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        os.utime(path, (0, 0))


def is_settled(tree: Path, sources: Mapping[str, bytes], state: State) -> bool:
    """Whether a pass wrote every file of the state anew and as it was, and no other."""
    stale = (name for name in state if not name.endswith(OTHERS) and _seconds(tree / name) == 0)
    return next(stale, None) is None and read_state(tree, sources) == state


def _seconds(path: Path) -> float:
    try:
        return path.lstat().st_mtime
    except FileNotFoundError:
        return 0


def is_near(sources: Mapping[str, bytes], like: Mapping[str, bytes], state: State) -> bool:
    """Whether sources may start from the state of others: what differs is TeX's own to read, no other program's."""
    if sources.keys() != like.keys() or sources.keys() & state.keys():
        return False
    return all(PurePosixPath(path).suffix == ".tex" for path, data in sources.items() if like[path] != data)


def state_json(state: State) -> str:
    """A state as canonical JSON."""
    return json.dumps({name: base64.b64encode(data).decode() for name, data in sorted(state.items())})


def read_state_json(text: str) -> State:
    """What `state_json` wrote; ValueError, TypeError or AttributeError on any other text."""
    return {name: base64.b64decode(data, validate=True) for name, data in json.loads(text).items()}
