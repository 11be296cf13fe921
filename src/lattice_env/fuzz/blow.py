"""What a blow is: one hostile change to a workspace, made by choices of its own."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from lattice_env.keys import Choices
from lattice_env.packages.harbor import Package


@dataclass(frozen=True)
class Arena:
    """The folders of one hostile workspace: itself, and what it may try to reach."""

    workspace: Path
    outside: Path
    """A folder with a file, `secret.tex`, that no verdict may touch."""
    package: Package


Blow = Callable[[Arena, Choices], None]
"""Changes the workspace; the same choices on the same workspace change the same. It may find nothing to do."""


def regular_files(folder: Path) -> list[Path]:
    """The regular files below `folder` in order; nothing where it is no folder."""
    if folder.is_symlink() or not folder.is_dir():
        return []
    return sorted(_below(folder))


def _below(folder: Path) -> Iterator[Path]:
    for top, _, names in os.walk(folder):  # which passes over what is too deep to be named
        for place in (Path(top, name) for name in names):
            with suppress(OSError):
                if stat.S_ISREG(place.lstat().st_mode):
                    yield place


def some_file(arena: Arena, choose: Choices) -> Path | None:
    """A file of the workspace, three times in four an editable one; None where it has none."""
    files = regular_files(arena.workspace)
    editable = [path for path in files if str(path.relative_to(arena.workspace)) in arena.package.spec.editable]
    wanted = editable if editable and choose.below(4) else files
    return choose.choice(wanted) if wanted else None


def some_folder(arena: Arena, choose: Choices) -> Path | None:
    """The workspace or a folder of it, links apart; None where it is no folder."""
    if arena.workspace.is_symlink() or not arena.workspace.is_dir():
        return None
    inner = sorted(path for path in arena.workspace.iterdir() if path.is_dir() and not path.is_symlink())
    return choose.choice([arena.workspace, *inner])


def size_up_to(choose: Choices, most: int) -> int:
    """A size from 1 to `most`, small ones as likely as large ones."""
    return 1 + choose.below(1 << choose.below(most.bit_length())) % most


def random_bytes(choose: Choices, count: int) -> bytes:
    """So many bytes, each as likely as the others."""
    return b"".join(choose.below(1 << 64).to_bytes(8, "big") for _ in range(count // 8 + 1))[:count]
