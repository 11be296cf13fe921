"""Where rows come from: labelled folders, the corpus that ships with us, and what `tables` adds."""

from __future__ import annotations

import itertools
import json
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from lattice_env.errors import DatasetError, UsageError
from lattice_env.keys import Choices

from . import tables
from .pictures import png_of
from .settings import BUILTIN, HUB_DEFAULT, Settings

LABELS = "labels.jsonl"
SHIPPED = Path(__file__).parent / "builtin.zip"
"""400 pictures made by `lattice-env ocr build-data`: what is served where there is nothing else, without TeX."""
WANTED = ("train", "test")
"""The splits that are served where none are asked for, those of them that there are."""


@dataclass(frozen=True)
class Row:
    """One task: a picture (PNG), and the LaTeX that the agent is not shown."""

    picture: bytes
    latex: str


@dataclass(frozen=True)
class Split:
    """One split: rows by number, and all of them in order."""

    name: str
    size: int
    """Rows; -1 where the source cannot tell."""
    read: Callable[[int], tuple[object, object]]
    """What the image column and the text column hold in a row."""
    scan: Callable[[], Iterator[tuple[object, object]]]
    """The same, of every row in order, one at a time."""

    def row(self, index: int) -> Row:
        """Row `index` of those there are; DatasetError where it is not whole."""
        return self._checked(index, self.read(index))

    def rows(self, *, seed: int, buffer: int) -> Iterator[Callable[[], Row]]:
        """All rows in order, or shuffled within a buffer; each is checked when it is called, not before."""
        numbered = enumerate(itertools.islice(self.scan(), self.size if self.size >= 0 else None))
        for index, values in _shuffled(numbered, Choices("latex-ocr", "stream", self.name, str(seed)), buffer):
            yield lambda index=index, values=values: self._checked(index, values)

    def _checked(self, index: int, values: tuple[object, object]) -> Row:
        picture, latex = values
        try:
            if not isinstance(latex, str):
                message = f"its text is of type {type(latex).__name__}"
                raise DatasetError(message)  # noqa: TRY301 - one place says which row
            return Row(png_of(picture), latex)
        except DatasetError as error:
            message = f"row {index} of {self.name} is not whole: {error}"
            raise DatasetError(message) from error


def _shuffled[T](items: Iterator[T], choices: Choices, buffer: int) -> Iterator[T]:
    """`items`, each drawn from the next `buffer` of them; as they come where there is no buffer."""
    held = list(itertools.islice(items, buffer)) if buffer > 1 else []
    for item in items:
        if not held:
            yield item
            continue
        place = choices.below(len(held))
        drawn, held[place] = held[place], item
        yield drawn
    yield from choices.shuffled(held)


@dataclass(frozen=True)
class Source:
    """A data set that was opened: its splits by name, in the order in which they are served."""

    name: str
    splits: Mapping[str, Split]
    notice: str = ""
    """What the server says about it when it starts."""


def open_source(settings: Settings) -> Source:
    """The data set that the settings name, its splits capped; DatasetError or UsageError where it cannot be served."""
    name, notice = (settings.dataset, "") if settings.dataset else _default()
    found = _splits(name, settings)
    wanted = settings.splits or tuple(split for split in WANTED if split in found) or tuple(found)
    missing = [split for split in wanted if split not in found]
    if missing:
        message = f"{name} has no split {missing[0]!r}: it has {', '.join(found) or 'none'}"
        raise UsageError(message, hint="name those to serve in LATEX_OCR_SPLITS")
    return Source(name, {split: _capped(found[split], settings.max_rows) for split in wanted}, notice)


def _default() -> tuple[str, str]:
    if tables.reaches_hub(HUB_DEFAULT):
        return HUB_DEFAULT, ""
    return BUILTIN, f"no hub is reachable: serving the built-in corpus instead of {HUB_DEFAULT}"


def _splits(name: str, settings: Settings) -> dict[str, Split]:
    columns = (settings.image_column, settings.text_column)
    if name == BUILTIN:
        return read_labelled(_zipped(SHIPPED), ("image", "text"), BUILTIN)
    path = Path(name)
    if path.suffix == ".zip" and path.is_file():
        return read_labelled(_zipped(path), columns, name)
    if path.is_dir() and any(path.glob(f"*/{LABELS}")) | (path / LABELS).is_file():
        return read_labelled(_folder(path), columns, name)
    found = tables.read_tables(name, settings)
    return {table.name: Split(table.name, table.size, table.read, table.scan) for table in found}


def _capped(split: Split, most: int | None) -> Split:
    if most is None:
        return split
    return replace(split, size=min(split.size, most) if split.size >= 0 else most)


@dataclass(frozen=True)
class Tree:
    """Files by path, in a folder or in an archive."""

    paths: tuple[str, ...]
    read: Callable[[str], bytes]


def _folder(folder: Path) -> Tree:
    labels = sorted(path for path in (folder / LABELS, *folder.glob(f"*/{LABELS}")) if path.is_file())
    return Tree(
        tuple(path.relative_to(folder).as_posix() for path in labels), lambda path: (folder / path).read_bytes()
    )


def _zipped(path: Path) -> Tree:
    """An archive, read once, so that sessions share no file."""
    try:
        with zipfile.ZipFile(path) as archive:
            files = {name: archive.read(name) for name in archive.namelist()}
    except (OSError, zipfile.BadZipFile) as error:
        message = f"{path}: not an archive that can be read: {error}"
        raise DatasetError(message) from error
    return Tree(tuple(name for name in files if name.endswith(LABELS)), files.__getitem__)


def read_labelled(tree: Tree, columns: tuple[str, str], name: str) -> dict[str, Split]:
    """A split for each `labels.jsonl`, named after its folder; one at the top is `train`, or as its rows say."""
    found: dict[str, list[tuple[str, Mapping[str, Any]]]] = {}
    for path in tree.paths:
        folder = path.removesuffix(LABELS)
        for number, line in enumerate(tree.read(path).decode("utf-8", "replace").splitlines(), 1):
            if line.strip():
                label = _label(line, columns, f"{name}/{path}:{number}")
                split = folder.rstrip("/") or str(label.get("split", "train"))
                found.setdefault(split, []).append((folder, label))
    return {split: _labelled_split(split, tree, labels, columns) for split, labels in found.items()}


def _label(line: str, columns: tuple[str, str], place: str) -> Mapping[str, Any]:
    try:
        label: Any = json.loads(line)
    except ValueError as error:
        message = f"{place}: not JSON: {error}"
        raise DatasetError(message) from error
    missing = [column for column in columns if not isinstance(label, dict) or column not in label]
    if missing:
        message = f"{place}: no column {missing[0]!r}"
        raise DatasetError(message, hint="LATEX_OCR_IMAGE_COLUMN and LATEX_OCR_TEXT_COLUMN name the columns")
    return cast("Mapping[str, Any]", label)


def _labelled_split(
    name: str, tree: Tree, labels: list[tuple[str, Mapping[str, Any]]], columns: tuple[str, str]
) -> Split:
    def read(index: int) -> tuple[object, object]:
        folder, label = labels[index]
        try:
            picture = tree.read(f"{folder}{label[columns[0]]}")
        except (OSError, KeyError, ValueError) as error:
            message = f"row {index} of {name} is not whole: its picture {label[columns[0]]!r} cannot be read"
            raise DatasetError(message) from error
        return picture, label[columns[1]]

    return Split(name, len(labels), read, lambda: map(read, range(len(labels))))
