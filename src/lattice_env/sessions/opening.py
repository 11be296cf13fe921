"""From the name of a task to a session at it: a folder of a package, or a row of LaTeX OCR."""

from __future__ import annotations

from pathlib import Path

from lattice_env.errors import EpisodeError, PackageError
from lattice_env.packages.harbor import Package, read_package
from lattice_env.verifier.edit_spec import EditSpec
from lattice_env.verifier.spec import Spec

from .bench import Bench
from .doc_edit import DocEditSession
from .latex_ocr import PREFIX, OcrSession, row_names
from .paper import PaperSession
from .protocol import Code
from .session import Session


def open_session(task: str, folder: Path) -> Session:
    """A session at a task, laid out in `folder`, the episode's own; EpisodeError where there is no such task."""
    if task.startswith(PREFIX):
        try:
            return OcrSession(task.removeprefix(PREFIX))
        except EpisodeError as error:
            raise EpisodeError(Code.UNKNOWN_TASK, str(error)) from error
    package = _package(Path(task))
    bench = Bench(package, folder)
    bench.lay_out()
    match package.spec:
        case Spec():
            return PaperSession(package.spec, bench)
        case EditSpec():
            return DocEditSession(package.spec, bench)
        case _:
            message = f"{task}: no session plays the family {package.spec.family}"
            raise EpisodeError(Code.BAD_TASK, message)


def _package(place: Path) -> Package:
    if not (place / "tests" / "task.json").is_file():
        message = f"{place} is no task folder: it has no tests/task.json"
        raise EpisodeError(Code.UNKNOWN_TASK, message)
    try:
        return read_package(place)
    except PackageError as error:
        raise EpisodeError(Code.BAD_TASK, str(error)) from error


def task_names(place: str) -> list[str]:
    """The tasks that a word of the command line names: a package, a folder of them, a row of OCR, or a split."""
    if place.startswith(PREFIX):
        name = place.removeprefix(PREFIX)
        return [place] if name.rpartition("-")[2].isdecimal() else row_names(name)
    folder = Path(place)
    if (folder / "task.toml").is_file():
        return [place]
    return sorted(str(path.parent) for path in folder.glob("[!._]*/task.toml"))
