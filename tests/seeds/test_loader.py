"""A seed that is not whole is refused, and the message names the place."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from lattice_env.errors import SeedError
from lattice_env.seeds import BUNDLED, load_seed, load_seeds

PAPERS = Path(__file__).parent / "papers"
"""Two small papers of the tests' own."""


@pytest.fixture
def otter(tmp_path):
    """A copy of a small seed, to be spoilt."""
    return Path(shutil.copytree(PAPERS / "otter", tmp_path / "seeds" / "otter"))


def change(folder, **fields):
    """Write fields into `seed.json`; None takes one away."""
    path = folder / "seed.json"
    body = json.loads(path.read_text("utf-8")) | fields
    kept = {name: value for name, value in body.items() if value is not None}
    path.write_text(json.dumps(kept), "utf-8")


def refused(folder, *words):
    with pytest.raises(SeedError) as caught:
        load_seed(folder)
    for word in words:
        assert word in str(caught.value)
    return caught.value


def test_a_private_seed_loads_beside_the_bundled_ones():
    names = [seed.name for seed in load_seeds(PAPERS)]
    assert names[-2:] == ["heron", "otter"]
    assert len(names) > 2


def test_figures_are_drawn_and_products_and_hidden_files_are_left_out(otter):
    for name in ("main.aux", "main.pdf", "main.log", ".latexmkrc", ".git/config"):
        (otter / "project" / name).parent.mkdir(exist_ok=True)
        (otter / "project" / name).write_text("x", "utf-8")
    assert sorted(load_seed(otter).files) == ["figures/river.pdf", "main.tex", "refs.bib"]


@pytest.mark.parametrize("key", ["name", "title", "root", "engine", "decoys", "references", "redistributable"])
def test_a_missing_key_is_named(otter, key):
    change(otter, **{key: None})
    refused(otter, str(otter / "seed.json"), key)


def test_an_unknown_key_is_named(otter):
    change(otter, colour="blue")
    refused(otter, str(otter / "seed.json"), "colour")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("name", 3),
        ("title", ["a"]),
        ("redistributable", "yes"),
        ("redistributable", 1),
        ("editable", "main.tex"),
        ("decoys", {}),
        ("references", []),
        ("engine", "xelatex"),
        ("bibliography", "none"),
        ("name", "Otter"),
        ("name", ""),
        ("name", "../otter"),
        ("name", "x" * 33),
    ],
)
def test_a_value_of_the_wrong_kind_is_named_with_its_key(otter, key, value):
    change(otter, **{key: value})
    refused(otter, str(otter / "seed.json"), key)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("placeholders", [{"path": "a.pdf"}]),
        ("placeholders", ["a.pdf"]),
        ("placeholders", [{"path": "a.pdf", "width": "10", "height": 9, "text": "x"}]),
        ("decoys", [{"file": "main.tex", "text": ""}]),
        pytest.param("placeholders", [{"path": 7, "width": 10, "height": 9, "text": "x"}]),
        pytest.param("placeholders", [{"path": "../a.pdf", "width": 10, "height": 9, "text": "x"}]),
        pytest.param("decoys", [{"file": "main.tex"}]),
        pytest.param("decoys", ["main.tex"]),
        pytest.param("decoys", [{"file": "main.tex", "text": 7}]),
        pytest.param("editable", [7]),
        pytest.param("editable", ["main.tex", 7]),
        pytest.param("styles", [7]),
        pytest.param("styles", ["../otter.sty"]),
    ],
)
def test_an_item_of_the_wrong_kind_is_refused(otter, key, value):
    change(otter, **{key: value})
    (otter.parents[1] / "otter.sty").write_text("x", "utf-8")
    with pytest.raises(SeedError, match="otter"):
        load_seeds(otter.parent, otter.parent)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "\ufeff{}", '{"name": NaN}'])
def test_a_recipe_that_is_no_object_of_json_is_refused(otter, text):
    (otter / "seed.json").write_text(text, "utf-8")
    refused(otter, str(otter / "seed.json"))


def test_a_recipe_that_is_not_utf_8_is_refused(otter):
    (otter / "seed.json").write_bytes(b'{"name": "\xe9"}')
    refused(otter, str(otter / "seed.json"))


@pytest.mark.parametrize("root", ["paper.tex", "", "parts/main.tex", "../main.tex"])
def test_a_root_that_is_missing_is_named(otter, root):
    change(otter, root=root)
    error = refused(otter, str(otter / "project"), "root")
    assert error.hint


@pytest.mark.parametrize("text", ["", "hello", "<html>", "% \\documentclass{article}\n", "\\documentstyle{article}"])
def test_a_root_that_is_not_latex_is_named(otter, text):
    (otter / "project" / "main.tex").write_text(text, "utf-8")
    refused(otter, str(otter / "project" / "main.tex"), "not a LaTeX project")


def test_a_file_that_is_editable_and_not_there_is_named(otter):
    change(otter, editable=["main.tex", "parts/none.tex"])
    refused(otter, str(otter / "project" / "parts" / "none.tex"))


@pytest.mark.parametrize("target", ["/etc/passwd", "main.tex", "nowhere"])
def test_a_link_inside_is_named(otter, target):
    (otter / "project" / "link.tex").symlink_to(target)
    refused(otter, str(otter / "project" / "link.tex"), "not-a-file")


def test_a_linked_folder_a_pipe_and_a_hard_link_are_named(otter):
    project = otter / "project"
    makers = {
        "folder": lambda path: path.symlink_to(otter, target_is_directory=True),
        "pipe": os.mkfifo,
        "hard": lambda path: path.hardlink_to(otter / "seed.json"),
    }
    for name, make in makers.items():
        make(project / name)
        refused(otter, str(project / name))
        (project / name).unlink()
    load_seed(otter)


@pytest.mark.parametrize("name", ["a:b.tex", "-rf.tex", "a\\b.tex", "MAIN.TEX", "x ", "\udce9.tex"])
def test_a_name_that_not_every_machine_can_keep_is_refused(otter, name):
    (otter / "project" / name).write_text("x", "utf-8")
    refused(otter, "project")


def test_a_decoy_that_stands_twice_is_named_with_its_file(otter):
    change(otter, decoys=[{"file": "main.tex", "text": "Section~", "why": "x"}])
    refused(otter, str(otter / "project" / "main.tex"), "Section~", "2 times")


def test_a_decoy_that_stands_nowhere_or_in_no_editable_file_is_named(otter):
    for file, text in (("main.tex", "no such words"), ("none.tex", "x"), ("figures/river.pdf", "river")):
        change(otter, decoys=[{"file": file, "text": text, "why": "x"}])
        refused(otter, str(otter / "project" / file), text, "0 times")


def test_a_seed_without_a_decoy_is_refused(otter):
    change(otter, decoys=[])
    refused(otter, str(otter / "seed.json"), "decoy")


def test_a_seed_without_a_project_is_refused(otter):
    shutil.rmtree(otter / "project")
    refused(otter, str(otter / "project"), "is not there")


def test_a_project_that_is_a_file_is_refused(otter):
    shutil.rmtree(otter / "project")
    (otter / "project").write_text("\\documentclass{article}", "utf-8")
    refused(otter, str(otter / "project"), "is not a folder")


def test_two_seeds_of_one_name_are_named(otter):
    shutil.copytree(otter, otter.parent / "again")
    with pytest.raises(SeedError, match="two seeds are called otter") as caught:
        load_seeds(otter.parent)
    assert "--seeds-dir" in caught.value.hint


def test_a_private_seed_cannot_take_the_name_of_a_bundled_one(otter):
    change(otter, name="tutorial")
    with pytest.raises(SeedError, match="two seeds are called tutorial"):
        load_seeds(otter.parent)


def test_a_folder_of_seeds_that_is_empty_missing_or_a_file_is_named(tmp_path):
    for folder, words in (
        (tmp_path, "no seed here"),
        (tmp_path / "none", "no such folder"),
        (Path(__file__), "no such"),
    ):
        with pytest.raises(SeedError, match=words) as caught:
            load_seeds(folder)
        assert str(folder) in str(caught.value)


def test_a_seed_that_borrows_styles_waits_for_them(tmp_path):
    names = json.loads((BUNDLED / "neurips" / "seed.json").read_text("utf-8"))["styles"]
    for folder in (None, tmp_path, tmp_path / "none"):
        seed = load_seed(BUNDLED / "neurips", folder)
        assert seed.unavailable == f"needs {', '.join(names)} from --styles-dir"
        assert not set(names) & seed.files.keys()
    for name in names:
        (tmp_path / name).write_text(f"\\ProvidesPackage{{{name}}}\n", "utf-8")
    seed = load_seed(BUNDLED / "neurips", tmp_path)
    assert seed.unavailable == ""
    assert seed.files[names[0]] == f"\\ProvidesPackage{{{names[0]}}}\n".encode()
    assert not set(names) & set(seed.editable)


def test_a_seed_with_some_of_its_styles_names_only_the_others(tmp_path):
    first, *others = json.loads((BUNDLED / "iclr" / "seed.json").read_text("utf-8"))["styles"]
    (tmp_path / first).write_text("x", "utf-8")
    assert load_seed(BUNDLED / "iclr", tmp_path).unavailable == f"needs {', '.join(others)} from --styles-dir"


def test_latin_1_sources_keep_their_bytes(otter):
    path = otter / "project" / "main.tex"
    data = path.read_text("utf-8").encode("latin-1")
    path.write_bytes(data)
    assert b"\xe9" in load_seed(otter).files["main.tex"]
    assert load_seed(otter).files["main.tex"] == data
