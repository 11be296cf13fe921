"""`lattice-env export-preferences`: the report on stdout, errors with their codes, nothing half-written."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from lattice_env.cli import main

PAPER = Path(__file__).parents[1] / "fixtures" / "annotated-paper"


def test_the_report_is_data_and_the_rest_is_not(tmp_path, capsys):
    assert main(["export-preferences", str(PAPER), "--out", str(tmp_path / "out"), "--level", "1", "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["rows"]["preference"] == 8
    assert "read it before you share it" in captured.err


def test_a_list_of_withdrawals_is_read(tmp_path, capsys):
    gone = tmp_path / "gone.txt"
    gone.write_text("w-ada\n\nw-kurt\n", "utf-8")
    words = ["--out", str(tmp_path / "out"), "--level", "1", "--withdrawn", str(gone), "--json"]
    assert main(["export-preferences", str(PAPER), *words]) == 0
    assert json.loads(capsys.readouterr().out)["rows"] == {"labels": 0, "preference": 0, "unpaired-preference": 0}


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ([str(PAPER), "--level", "2", "--writer", "w-kurt"], 2),
        ([str(PAPER), "--level", "1", "--withdrawn", "/nonexistent"], 2),
        (["/nonexistent", "--level", "1"], 4),
    ],
)
def test_errors_have_their_codes_and_leave_nothing(words, code, tmp_path, capsys):
    assert main(["export-preferences", *words, "--out", str(tmp_path / "out")]) == code
    assert not (tmp_path / "out").exists()
    assert capsys.readouterr().err.startswith("lattice-env: ")


def test_without_the_extra_its_name_is_told(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "jsonschema", None)
    assert main(["export-preferences", str(PAPER), "--out", str(tmp_path / "out"), "--level", "1"]) == 3
    assert "pip install 'lattice-env[preferences]'" in capsys.readouterr().err
