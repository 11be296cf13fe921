"""LaTeX OCR through `generate`: the same bytes for any number of workers, without TeX."""

from __future__ import annotations

import json

import pytest

from lattice_env.cli import main
from lattice_env.errors import UsageError
from lattice_env.executors import open_executor
from lattice_env.generate import generate, make_formula_plan
from lattice_env.packages import read_package
from lattice_env.verifier.formula_spec import FormulaSpec


def fill(folder, jobs, **chosen):
    plan = make_formula_plan("tests", **chosen)
    with open_executor("process", jobs=jobs) as executor:
        return generate(plan, folder, store=None, executor=executor, report=lambda *_: None)


def tree(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_two_workers_make_the_same_bytes_as_one(tmp_path):
    fill(tmp_path / "one", 1, limit=6)
    fill(tmp_path / "two", 2, limit=6)
    assert tree(tmp_path / "one") == tree(tmp_path / "two")
    names = [row["task"] for row in json.loads((tmp_path / "one" / "manifest.json").read_text("utf-8"))["tasks"]]
    assert len(set(names)) == 6
    assert all(isinstance(read_package(tmp_path / "one" / name).spec, FormulaSpec) for name in names)


def test_another_salt_takes_other_formulas_first():
    assert make_formula_plan("a").units[:5] != make_formula_plan("b").units[:5]
    assert set(make_formula_plan("a").units) == set(make_formula_plan("b").units)


def test_a_seed_that_is_not_there_is_named():
    with pytest.raises(UsageError, match="no seed is called 'nope'"):
        make_formula_plan("a", seed=["nope"])


def test_the_command_makes_tasks_and_previews_one(tmp_path, capsys):
    out = tmp_path / "out"
    words = ["--family", "latex-ocr", "--seed", "test-000003", "--store", str(tmp_path / "store"), "--jobs", "1"]
    assert main(["generate", *words, "--out", str(out), "--json", "--strict"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["family"], row["seed"], row["failures"]) == ("latex-ocr", "test-000003", [])
    assert main(["preview", str(out / row["task"])]) == 0
    target = read_package(out / row["task"]).spec.target.strip()
    assert target in capsys.readouterr().out
    assert main(["selftest", str(out / row["task"])]) == 0


@pytest.mark.parametrize("word", ["--level=note", "--operator=TEX-CMD-TRP", "--faults=2"])
def test_options_of_other_families_are_refused(tmp_path, capsys, word):
    assert main(["generate", "--family", "latex-ocr", word, "--out", str(tmp_path / "out")]) == 2
    assert "is for other families" in capsys.readouterr().err
