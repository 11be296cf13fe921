"""Every form of a data set is served, and what is wrong with one is said with its place."""

from __future__ import annotations

import io
import json
import shutil

import pytest

from lattice_env.errors import DatasetError, UsageError
from lattice_env.families.latex_ocr import tables
from lattice_env.families.latex_ocr.folder import corpus_files
from lattice_env.families.latex_ocr.png import grey_png, is_whole_png
from lattice_env.families.latex_ocr.settings import REWARDS, Settings, read_settings
from lattice_env.families.latex_ocr.source import open_source

PICTURE = grey_png(b"P5 3 2 255\n" + bytes(range(6)))


def write_labelled(folder, rows):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "a.png").write_bytes(PICTURE)
    (folder / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def opened(path, **settings):
    return open_source(Settings(dataset=str(path), **settings))


def test_the_built_in_corpus_needs_nothing():
    source = opened("builtin")
    assert list(source.splits) == ["train", "test"]
    assert is_whole_png(source.splits["test"].row(0).picture)


def test_the_built_in_corpus_is_the_default_without_a_hub_and_it_is_said(monkeypatch):
    monkeypatch.setattr(tables, "reaches_hub", lambda name: False)
    source = open_source(Settings())
    assert source.name == "builtin"
    assert "no hub is reachable" in source.notice


def test_a_row_cap_is_the_size_that_is_told():
    assert opened("builtin", max_rows=5).splits["test"].size == 5


def test_a_labelled_folder_has_a_split_a_folder(tmp_path):
    write_labelled(tmp_path / "train", [{"image": "a.png", "text": "x"}])
    write_labelled(tmp_path / "test", [{"image": "a.png", "text": "y"}])
    source = opened(tmp_path)
    assert source.splits["train"].row(0).latex == "x"
    assert source.splits["test"].row(0).picture == PICTURE


def test_a_labelled_folder_without_splits_is_train_and_its_columns_can_have_other_names(tmp_path):
    write_labelled(tmp_path, [{"file": "a.png", "latex": "x"}])
    source = opened(tmp_path, image_column="file", text_column="latex")
    assert source.splits["train"].row(0).latex == "x"


@pytest.mark.parametrize(
    ("rows", "told"),
    [([{"image": "a.png"}], "no column 'text'"), (["x"], "no column 'image'"), ([{}], "labels.jsonl:1")],
)
def test_a_label_that_is_none_is_named_with_its_place(tmp_path, rows, told):
    write_labelled(tmp_path, rows)
    with pytest.raises(DatasetError, match=told):
        opened(tmp_path)


def test_a_label_that_is_not_json_is_named_with_its_place(tmp_path):
    write_labelled(tmp_path, [])
    (tmp_path / "labels.jsonl").write_text("{\n", "utf-8")
    with pytest.raises(DatasetError, match=r"labels\.jsonl:1: not JSON"):
        opened(tmp_path)


@pytest.mark.parametrize(
    "row", [{"image": "none.png", "text": "x"}, {"image": "a.png", "text": 5}, {"image": "labels.jsonl", "text": "x"}]
)
def test_a_corrupt_row_is_an_error_when_it_is_read_and_not_before(tmp_path, row):
    pytest.importorskip("PIL")
    write_labelled(tmp_path, [row, {"image": "a.png", "text": "x"}])
    split = opened(tmp_path).splits["train"]
    with pytest.raises(DatasetError, match="row 0 of train is not whole"):
        split.row(0)
    assert split.row(1).latex == "x"


def test_a_broken_png_is_not_handed_on(tmp_path):
    write_labelled(tmp_path, [{"image": "a.png", "text": "x"}])
    for broken in (PICTURE[:-5], PICTURE[:50] + bytes([PICTURE[50] ^ 1]) + PICTURE[51:]):
        (tmp_path / "a.png").write_bytes(broken)
        with pytest.raises(DatasetError, match="breaks off or was changed"):
            opened(tmp_path).splits["train"].row(0)


def test_a_split_that_is_not_there_is_named(tmp_path):
    write_labelled(tmp_path, [{"image": "a.png", "text": "x"}])
    with pytest.raises(UsageError, match="no split 'test'"):
        opened(tmp_path, splits=("train", "test"))


def test_what_build_data_writes_is_what_a_source_reads(tmp_path):
    from lattice_env.families.latex_ocr.corpus import make_corpus
    from lattice_env.packages.harbor import write_files

    corpus = make_corpus(30)
    write_files(corpus_files(corpus, [PICTURE] * 29 + [None]), tmp_path / "data")
    source = opened(tmp_path / "data")
    texts = {split.row(index).latex for split in source.splits.values() for index in range(split.size)}
    assert texts == {formula.latex for formula in corpus[:29]}


# --- tables of the extra ---------------------------------------------------------------------------


def encoded(mode, kind):
    from PIL import Image

    written = io.BytesIO()
    Image.new(mode, (4, 3)).save(written, kind)
    return written.getvalue()


@pytest.mark.openenv
@pytest.mark.parametrize(
    ("mode", "kind"), [("RGB", "JPEG"), ("CMYK", "JPEG"), ("L", "TIFF"), ("P", "GIF"), ("RGBA", "WEBP")]
)
def test_pictures_of_other_kinds_become_pngs(tmp_path, mode, kind):
    import pyarrow as pa
    from pyarrow import parquet

    table = pa.table({"image": [encoded(mode, kind), b"none"], "text": ["x", "y"]})
    parquet.write_table(table, tmp_path / "a.parquet")
    split = opened(tmp_path / "a.parquet").splits["train"]
    assert is_whole_png(split.row(0).picture)
    with pytest.raises(DatasetError, match="row 1 of train is not whole: the picture cannot be decoded"):
        split.row(1)


@pytest.mark.openenv
def test_a_parquet_file_has_the_splits_of_its_column(tmp_path):
    import pyarrow as pa
    from pyarrow import parquet

    table = pa.table({"image": [PICTURE] * 3, "text": ["a", "b", "c"], "split": ["test", "train", "test"]})
    parquet.write_table(table, tmp_path / "a.parquet")
    source = opened(tmp_path / "a.parquet")
    assert {name: split.size for name, split in source.splits.items()} == {"train": 1, "test": 2}
    assert source.splits["test"].row(1).latex == "c"
    with pytest.raises(DatasetError, match="no column 'label'"):
        opened(tmp_path / "a.parquet", text_column="label")


@pytest.mark.openenv
def test_a_file_that_is_no_parquet_and_one_that_is_not_there_are_named(tmp_path):
    (tmp_path / "a.parquet").write_bytes(b"none")
    with pytest.raises(DatasetError, match="not a Parquet file"):
        opened(tmp_path / "a.parquet")
    with pytest.raises(DatasetError, match="no such file"):
        opened(tmp_path / "b.parquet")


@pytest.mark.openenv
def test_a_folder_that_datasets_saved_is_served(tmp_path):
    import datasets

    rows = {"image": [{"bytes": PICTURE, "path": None}] * 2, "text": ["a", "b"]}
    features = datasets.Features({"image": datasets.Image(), "text": datasets.Value("string")})
    made = datasets.Dataset.from_dict(rows, features=features)
    datasets.DatasetDict({"train": made, "test": made.select([1])}).save_to_disk(str(tmp_path / "saved"))
    source = opened(tmp_path / "saved")
    assert source.splits["test"].row(0).latex == "b"
    assert source.splits["train"].row(0).picture == PICTURE
    shutil.rmtree(tmp_path / "saved" / "train")
    with pytest.raises(DatasetError):
        opened(tmp_path / "saved")


# --- settings --------------------------------------------------------------------------------------


def test_every_setting_has_its_variable_and_what_is_unset_its_default():
    assert read_settings({}) == Settings()
    read = read_settings({"LATEX_OCR_SPLITS": "a, b", "LATEX_OCR_MAX_ROWS": "7", "LATEX_OCR_REVEAL_TARGET": "0"})
    assert (read.splits, read.max_rows, read.reveal_target) == (("a", "b"), 7, False)
    assert read_settings({"LATEX_OCR_MAX_ROWS": ""}) == Settings()


def test_the_defaults_are_the_seed_s():
    settings = Settings()
    assert (settings.exact_weight, settings.overlong_ratio, settings.overlong_floor) == (0.4, 4.0, 80)
    assert (settings.max_sessions, settings.stream_range_cap, settings.mode) == (16, 100_000, "materialize")
    assert settings.reward == REWARDS[0]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("MODE", "both"),
        ("MAX_ROWS", "0"),
        ("MAX_ROWS", "many"),
        ("EXACT_WEIGHT", "2"),
        ("EXACT_WEIGHT", "nan"),
        ("SPLITS", "a,a"),
        ("REWARD", "all"),
        ("REVEAL_TARGET", "maybe"),
    ],
)
def test_a_variable_that_is_not_what_it_must_be_is_an_error_of_usage(name, text):
    with pytest.raises(UsageError):
        read_settings({f"LATEX_OCR_{name}": text})
