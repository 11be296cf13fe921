"""`lattice-env preview`."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from pathlib import Path

from rich.text import Text

from lattice_env.packages import read_package
from lattice_env.packages.harbor import Package
from lattice_env.verifier.diagnostics import first_line
from lattice_env.verifier.latex import decode
from lattice_env.verifier.store import Store
from lattice_env.verifier.verdict import InfraError

from .places import out, store_folder

_STYLES = {"+": "green", "-": "red", "@": "cyan"}


def preview(task: Path, *, build: bool = True) -> int:
    """Show what was done to a task's paper: a coloured diff, and the first error of its build.

    For people who make tasks. An agent must not see it.

    Parameters
    ----------
    task
        A task folder.
    build
        Build the broken paper for its first error (--no-build leaves that out).
    """
    package, console = read_package(task), out()
    spec = package.spec
    files = ", ".join(sorted({change.file for change in spec.fault.changes}))
    console.print(Text(f"{task.name}: {spec.fault.operator} in {files}"), soft_wrap=True)
    for line in _diff(package):
        console.print(Text(line, style=_STYLES.get(line[0], "")), soft_wrap=True)
    console.print(Text(f"decoy: {spec.decoy.file}: {spec.decoy.text}", style="yellow"), soft_wrap=True)
    if build:
        console.print(Text(_first_error(package)), soft_wrap=True)
    return 0


def _diff(package: Package) -> Iterator[str]:
    """From the good paper to the shipped one."""
    for path in package.spec.editable:
        good, shipped = (decode(files[path]) for files in (package.spec.original, package.spec.initial))
        names = (f"original/{path}", f"shipped/{path}")
        lines = difflib.unified_diff(good.splitlines(), shipped.splitlines(), *names, n=2, lineterm="")
        yield from (line for line in lines if line)


def _first_error(package: Package) -> str:
    try:
        outcome = Store(store_folder()).outcome(package.workspace, package.spec.root)
    except InfraError as error:
        return f"first error: not known, {error}"
    if not outcome.reason:
        return "it builds"
    diagnostics = outcome.diagnostics
    source = f"\n  {diagnostics[0].source}" if diagnostics and diagnostics[0].source else ""
    return f"first error: {first_line(diagnostics) or outcome.reason}{source}"
