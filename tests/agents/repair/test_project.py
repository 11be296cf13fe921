"""A project is read whole, and written to one file at a time."""

import stat

import pytest

from lattice_env.agents.repair import project as module
from lattice_env.agents.repair.project import locate, read_project, write_source
from lattice_env.errors import DataError


def test_links_and_hidden_folders_are_left_out_and_named(project):
    folder = project({"a.tex": "x", ".git/config": "y", "sub/b.tex": "z", ".latexmkrc": "w"})
    (folder / "link.tex").symlink_to("/etc/passwd")
    (folder / "elsewhere").symlink_to("/etc")
    read = read_project(folder)
    assert set(read.files) == {"a.tex", "sub/b.tex", ".latexmkrc"}
    assert set(read.skipped) == {".git", "link.tex", "elsewhere"}


@pytest.mark.parametrize("name", ["a\nb.tex", "a\\b.tex"])
def test_names_that_no_manifest_can_hold_are_left_out(project, name):
    folder = project({"a.tex": "x"})
    (folder / name).write_text("y")
    assert set(read_project(folder).files) == {"a.tex"}


def test_too_many_files_are_an_error(project, monkeypatch):
    monkeypatch.setattr(module, "MOST_FILES", 3)
    with pytest.raises(DataError, match="more than 3 files"):
        read_project(project({f"{n}.tex": "" for n in range(4)}))


def test_a_file_is_no_folder(project):
    with pytest.raises(DataError, match="is not a folder"):
        read_project(project({"a.tex": "x"}) / "a.tex")


def test_a_source_is_replaced_whole_and_keeps_its_mode(project):
    folder = project({"a.tex": "old"})
    (folder / "a.tex").chmod(0o640)
    assert write_source(folder, "a.tex", b"new")
    assert (folder / "a.tex").read_bytes() == b"new"
    assert stat.S_IMODE((folder / "a.tex").stat().st_mode) == 0o640
    assert [path.name for path in folder.iterdir()] == ["a.tex"]


def test_a_link_is_not_written_through(project, tmp_path):
    folder = project({"a.tex": "old"})
    outside = tmp_path / "outside.tex"
    outside.write_text("mine")
    (folder / "link.tex").symlink_to(outside)
    assert not write_source(folder, "link.tex", b"new")
    assert outside.read_text() == "mine"


@pytest.mark.parametrize("path", ["", ".", "..", "../x", "/etc/passwd", "none.tex"])
def test_what_is_outside_is_not_located(project, path):
    assert locate(project({"a.tex": "x"}), path) is None
