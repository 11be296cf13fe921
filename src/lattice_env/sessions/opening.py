"""From the folder of a task to a session at it."""

from __future__ import annotations

from pathlib import Path

from lattice_env.errors import EpisodeError, PackageError
from lattice_env.packages.harbor import Package, read_package
from lattice_env.verifier.edit_spec import EditSpec
from lattice_env.verifier.formula_spec import FormulaSpec
from lattice_env.verifier.spec import Spec

from .bench import Bench
from .doc_edit import DocEditSession
from .latex_ocr import OcrSession
from .machine import Machine
from .paper import PaperSession
from .protocol import Code
from .session import Session


def open_session(task: str, folder: Path, machine: Machine) -> Session:
    """A session at a task, laid out in `folder`, the episode's own; EpisodeError where there is no such task."""
    package = _package(Path(task))
    bench = Bench(package, folder, machine)
    bench.lay_out()
    match package.spec:
        case Spec():
            return PaperSession(package.spec, bench)
        case EditSpec():
            return DocEditSession(package.spec, bench)
        case FormulaSpec():
            return OcrSession(package.spec, bench)
        case _:
            message = f"{task}: no session plays the family {package.spec.family}"
            raise EpisodeError(Code.BAD_TASK, message)


def _package(place: Path) -> Package:
    if not (place / "tests" / "task.json").is_file():
        message = f"{place} is no task folder: it has no tests/task.json"
        raise EpisodeError(Code.UNKNOWN_TASK, message)
    try:
        return read_package(place.resolve())  # a link to a task is played as the task
    except PackageError as error:
        raise EpisodeError(Code.BAD_TASK, str(error)) from error


def task_folders(place: Path) -> list[Path]:
    """The tasks that lie at a place, in order: the one that it is, or those of a folder of tasks."""
    if (place / "task.toml").is_file():
        return [place]
    return sorted(path.parent for path in place.glob("[!._]*/task.toml"))
