"""`lattice-env preview`."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from pathlib import Path

from rich.text import Text

from lattice_env.packages import read_package
from lattice_env.packages.harbor import WORKSPACE, Package
from lattice_env.verifier.diagnostics import first_line
from lattice_env.verifier.edit_spec import EditSpec
from lattice_env.verifier.formula_spec import PICTURE, FormulaSpec
from lattice_env.verifier.latex import decode
from lattice_env.verifier.spec import Spec
from lattice_env.verifier.store import Store
from lattice_env.verifier.verdict import InfraError

from .documents import show_document
from .places import out, store_folder

_STYLES = {"+": "green", "-": "red", "@": "cyan"}


def preview(task: Path, *, build: bool = True) -> int:
    """Show what was done to a task's document: for a paper a coloured diff and the first error of its build.

    For a document of doc-edit: its pages before and after side by side, sites and decoys marked. For LaTeX OCR: the
    picture's place and the formula.

    For people who make tasks. An agent must not see it.

    Parameters
    ----------
    task
        A task folder.
    build
        Build a broken paper for its first error (--no-build leaves that out).
    """
    package = read_package(task)
    if isinstance(package.spec, FormulaSpec):
        place = package.folder / WORKSPACE / PICTURE
        out().print(Text(f"{task.name}: {place}\n{package.spec.target.strip()}"), soft_wrap=True)
    elif isinstance(package.spec, EditSpec):
        show_document(task.name, package.spec, out())
    else:
        _show_paper(package, build=build)
    return 0


def _show_paper(package: Package, *, build: bool) -> None:
    spec, console = _paper(package), out()
    files = ", ".join(sorted({change.file for change in spec.fault.changes}))
    console.print(Text(f"{package.folder.name}: {spec.fault.operator} in {files}"), soft_wrap=True)
    for line in _diff(package):
        console.print(Text(line, style=_STYLES.get(line[0], "")), soft_wrap=True)
    console.print(Text(f"decoy: {spec.decoy.file}: {spec.decoy.text}", style="yellow"), soft_wrap=True)
    if build:
        console.print(Text(_first_error(package)), soft_wrap=True)


def _paper(package: Package) -> Spec:
    """The spec of a paper's package."""
    assert isinstance(package.spec, Spec)  # noqa: S101 - there are two kinds of spec
    return package.spec


def _diff(package: Package) -> Iterator[str]:
    """From the good paper to the shipped one."""
    spec = _paper(package)
    for path in spec.editable:
        good, shipped = (decode(files[path]) for files in (spec.original, spec.initial))
        names = (f"original/{path}", f"shipped/{path}")
        lines = difflib.unified_diff(good.splitlines(), shipped.splitlines(), *names, n=2, lineterm="")
        yield from (line for line in lines if line)


def _first_error(package: Package) -> str:
    try:
        outcome = Store(store_folder()).outcome(package.workspace, _paper(package).root)
    except InfraError as error:
        return f"first error: not known, {error}"
    if not outcome.reason:
        return "it builds"
    diagnostics = outcome.diagnostics
    source = f"\n  {diagnostics[0].source}" if diagnostics and diagnostics[0].source else ""
    return f"first error: {first_line(diagnostics) or outcome.reason}{source}"
