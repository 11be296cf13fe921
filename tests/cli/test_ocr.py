"""`lattice-env ocr` makes what a source reads, and says what it cannot do."""

from __future__ import annotations

import json
import sys

import pytest

from lattice_env.cli import main
from lattice_env.families.latex_ocr.corpus import make_corpus
from lattice_env.families.latex_ocr.png import is_whole_png
from lattice_env.families.latex_ocr.settings import Settings
from lattice_env.families.latex_ocr.source import open_source


@pytest.mark.tex
@pytest.mark.parametrize("name", ["data", "data.zip"])
def test_build_data_makes_what_is_served(name, tmp_path, capsys):
    out = tmp_path / name
    assert main(["ocr", "build-data", "--out", str(out), "--count", "4", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert made["train"] + made["test"] == 4
    source = open_source(Settings(dataset=str(out)))
    rows = [split.row(index) for split in source.splits.values() for index in range(split.size)]
    assert {row.latex for row in rows} == {formula.latex for formula in make_corpus(4)}
    assert all(is_whole_png(row.picture) for row in rows)


def test_build_data_overwrites_nothing(tmp_path, capsys):
    assert main(["ocr", "build-data", "--out", str(tmp_path)]) == 2
    assert "is there already" in capsys.readouterr().err


def test_build_data_needs_something_to_make(tmp_path, capsys):
    assert main(["ocr", "build-data", "--out", str(tmp_path / "x"), "--count", "0"]) == 2
    assert "at least 1" in capsys.readouterr().err


@pytest.mark.openenv
def test_labels_tells_how_each_reward_judges(capsys):
    assert main(["ocr", "labels", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {row["reward"] for row in rows} == {"characters", "equivalence", "tiered"}


def test_labels_needs_its_extra_and_names_it(capsys, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "math_core", None)
    (tmp_path / "labels").write_text('{"answer": "x_{917}", "target": "y_{917}", "right": false}\n', "utf-8")
    assert main(["ocr", "labels", "--file", str(tmp_path / "labels")]) == 3
    assert "lattice-env[ocr]" in capsys.readouterr().err
