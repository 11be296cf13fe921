"""`lattice-env tree`."""

from __future__ import annotations

import json as codec
from pathlib import Path
from typing import Literal

from lattice_env.agents.repair.tree import init_tree

from .places import out


def tree(action: Literal["init"], folder: Path, *, repository: str = "", json: bool = False) -> int:
    """Make a TeX Live user tree of our own, into which a repair may install missing packages.

    tlmgr fills it in user mode; the system's trees stay as they are. Exit code 3 without tlmgr.

    Parameters
    ----------
    action
        What to do: init makes a new tree.
    folder
        Where the tree is made, new or empty, and not below /tmp, which builds do not see.
    repository
        Where tlmgr gets packages, a URL or a folder; tlmgr's own choice if not given.
    json
        Print JSON instead of a line.
    """
    del action
    made = init_tree(folder, repository)
    if json:
        print(codec.dumps({"tree": str(made.folder), "repository": made.repository}))
    else:
        out().print(f"made {made.folder}; use it with lattice-env repair PROJECT --tree {made.folder}", markup=False)
    return 0
