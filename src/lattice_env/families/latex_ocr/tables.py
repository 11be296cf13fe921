"""Tables of the extra `ocr`: Parquet files, folders that `datasets` saved, and data sets of a hub."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lattice_env.errors import DatasetError, MissingTool
from lattice_env.extras import need

from .settings import STREAM, Settings

HUB_SECONDS = 5


@dataclass(frozen=True)
class Table:
    """One split of a table."""

    name: str
    size: int
    read: Callable[[int], tuple[object, object]]
    scan: Callable[[], Iterator[tuple[object, object]]]


def reaches_hub(name: str) -> bool:
    """Whether a data set of the hub can be had here and now."""
    try:
        hub: Any = need("huggingface_hub", "ocr")
        need("datasets", "ocr")
        hub.HfApi().dataset_info(name, timeout=HUB_SECONDS)
    except (MissingTool, OSError, ValueError, RuntimeError):
        return False
    except Exception as error:
        if type(error).__module__.split(".")[0] in ("httpx", "requests", "huggingface_hub"):
            return False
        raise
    return True


def read_tables(name: str, settings: Settings) -> list[Table]:
    """The splits of a Parquet file, of a folder that `datasets` saved, or of a data set of the hub."""
    path = Path(name)
    if path.suffix == ".parquet":
        if not path.is_file():
            message = f"{name}: no such file"
            raise DatasetError(message)
        return _read_parquet(path, settings)
    if path.is_dir():
        return _read_saved(path, settings)
    return _read_hub(name, settings)


def _read_parquet(path: Path, settings: Settings) -> list[Table]:
    """A table that is kept in memory; its splits are named by its column `split`, or it is all `train`."""
    parquet: Any = need("pyarrow.parquet", "ocr")
    arrow: Any = need("pyarrow", "ocr")
    try:
        names = parquet.read_schema(path).names
        _check_columns(names, settings, str(path))
        wanted = [settings.image_column, settings.text_column, *(["split"] if "split" in names else [])]
        table = parquet.read_table(path, columns=wanted)
        arrow.default_memory_pool().release_unused()
    except (arrow.ArrowException, OSError) as error:
        message = f"{path}: not a Parquet file that can be read: {error}"
        raise DatasetError(message) from error
    if "split" not in names:
        return [_arrow_table("train", table, settings)]
    column = table.column("split")
    compute: Any = need("pyarrow.compute", "ocr")
    splits = [str(value) for value in column.unique().to_pylist()]
    return [_arrow_table(split, table.filter(compute.equal(column, split)), settings) for split in splits]


def _arrow_table(name: str, table: Any, settings: Settings) -> Table:
    images, texts = table.column(settings.image_column), table.column(settings.text_column)

    def read(index: int) -> tuple[object, object]:
        return images[index].as_py(), texts[index].as_py()

    return Table(name, table.num_rows, read, lambda: map(read, range(table.num_rows)))


def _read_saved(path: Path, settings: Settings) -> list[Table]:
    """What `save_to_disk` wrote; the file is mapped, not read."""
    datasets: Any = need("datasets", "ocr")
    try:
        found = datasets.load_from_disk(str(path))
    except (OSError, ValueError) as error:
        message = f"{path}: neither pictures with labels.jsonl nor a folder of `datasets`: {error}"
        raise DatasetError(message) from error
    splits = found if isinstance(found, datasets.DatasetDict) else {"train": found}
    return [_dataset_table(str(name), splits[name], settings, str(path)) for name in splits]


def _dataset_table(name: str, dataset: Any, settings: Settings, place: str) -> Table:
    _check_columns(dataset.column_names, settings, place)
    datasets: Any = need("datasets", "ocr")
    columns = [settings.image_column, settings.text_column]
    plain = dataset.select_columns(columns)
    if isinstance(dataset.features[settings.image_column], datasets.Image):
        plain = plain.cast_column(settings.image_column, datasets.Image(decode=False))

    def read(index: int) -> tuple[object, object]:
        row = plain[index]
        return row[columns[0]], row[columns[1]]

    return Table(name, len(dataset), read, lambda: map(read, range(len(dataset))))


def _read_hub(name: str, settings: Settings) -> list[Table]:
    datasets: Any = need("datasets", "ocr")
    config = settings.config or None
    try:
        if settings.mode == STREAM:
            builder = datasets.load_dataset_builder(name, config)
            return [_hub_stream(name, str(split), builder, settings) for split in builder.info.splits or ()]
        found = datasets.load_dataset(name, config)
    except (OSError, ValueError, RuntimeError) as error:
        message = f"{name}: no file or folder here, and no data set that the hub gives: {error}"
        hint = "LATEX_OCR_DATASET=builtin needs no hub"
        raise DatasetError(message, hint=hint) from error
    return [_dataset_table(str(split), found[split], settings, name) for split in found]


def _hub_stream(name: str, split: str, builder: Any, settings: Settings) -> Table:
    """A split of the hub that is never downloaded whole: its rows can only be scanned."""
    datasets: Any = need("datasets", "ocr")
    count = builder.info.splits[split].num_examples

    def scan() -> Iterator[tuple[object, object]]:
        stream = datasets.load_dataset(name, settings.config or None, split=split, streaming=True)
        for row in stream.cast_column(settings.image_column, datasets.Image(decode=False)):
            yield row[settings.image_column], row[settings.text_column]

    def read(_index: int) -> tuple[object, object]:
        raise DatasetError("a stream of the hub has no rows by number")

    return Table(split, -1 if count is None else count, read, scan)


def _check_columns(names: list[str], settings: Settings, place: str) -> None:
    for column in (settings.image_column, settings.text_column):
        if column not in names:
            message = f"{place}: no column {column!r}: it has {', '.join(names)}"
            raise DatasetError(message, hint="LATEX_OCR_IMAGE_COLUMN and LATEX_OCR_TEXT_COLUMN name the columns")
