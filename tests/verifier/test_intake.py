"""A hostile folder is read without harm: each unlawful entry is a finding, the rest is still read."""

import os
import socket
import unicodedata

import pytest

from lattice_env.verifier import intake
from lattice_env.verifier.intake import check_files, fold, read_submission


def write(folder, *names):
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"text")


def found(folder):
    """All (code, path) findings on a folder; and its ordinary file must have been read in any case."""
    submission = read_submission(folder)
    assert submission.files.get("main.tex") == b"text"
    return {(finding.code, finding.file) for finding in (*submission.findings, *check_files(submission.files))}


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "app"
    write(place, "main.tex")
    return place


def test_an_ordinary_nested_project_has_no_finding(folder):
    write(folder, "sections/a/intro.tex", "figures/plot 1.pdf", "Makefile", ".gitignore", "refs.bib", "naïve.tex")
    assert not found(folder)
    assert read_submission(folder).files["sections/a/intro.tex"] == b"text"


def test_a_link_to_a_file_is_not_followed(folder, tmp_path):
    write(tmp_path, "secret")
    (folder / "a.tex").symlink_to(tmp_path / "secret")
    assert found(folder) == {("not-a-file", "a.tex")}
    assert "a.tex" not in read_submission(folder).files


def test_a_link_to_a_folder_is_not_followed(folder):
    (folder / "loop").symlink_to(folder)
    assert found(folder) == {("not-a-file", "loop")}


def test_a_link_that_leads_nowhere_is_a_finding(folder):
    (folder / "gone").symlink_to("nowhere")
    assert found(folder) == {("not-a-file", "gone")}


def test_a_hard_link_is_not_read(folder, tmp_path):
    write(tmp_path, "secret")
    (folder / "a.tex").hardlink_to(tmp_path / "secret")
    assert found(folder) == {("hard-link", "a.tex")}


def test_a_pipe_does_not_hang(folder):
    os.mkfifo(folder / "a.tex")
    assert found(folder) == {("not-a-file", "a.tex")}


def test_a_socket_is_a_finding(folder, monkeypatch):
    monkeypatch.chdir(folder)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("a.tex")
        assert found(folder) == {("not-a-file", "a.tex")}


@pytest.mark.parametrize("name", ["a\nb.tex", "-shell.tex", "dot.", "blank ", "a\\b.tex", "a|b", 'a"b', "a:b", "a*b"])
def test_a_name_that_is_not_portable_is_a_finding(folder, name):
    write(folder, name)
    assert found(folder) == {("name", name.encode("utf-8", "backslashreplace").decode())}


def test_a_name_that_is_no_utf_8_is_a_finding(folder):
    (folder / os.fsdecode(b"na\xefve.tex")).write_bytes(b"text")
    assert found(folder) == {("name", r"na\udcefve.tex")}


def test_a_folder_s_name_counts_like_a_file_s(folder):
    write(folder, "-o/a.tex")
    assert found(folder) == {("name", "-o"), ("name", "-o/a.tex")}


def test_an_empty_folder_s_name_counts_too(folder):
    (folder / "a\nb").mkdir()
    assert {code for code, _ in found(folder)} == {"name"}


def test_a_path_longer_than_the_system_takes_is_a_finding_and_no_crash(folder):
    """A program in the folder makes it step by step; whoever names it whole is told that it is too long."""
    handle = os.open(folder, os.O_RDONLY)
    for _ in range(intake.MOST_DEPTH):
        os.mkdir("n" * 250, dir_fd=handle)
        inner = os.open("n" * 250, os.O_RDONLY, dir_fd=handle)
        os.close(handle)
        handle = inner
    os.close(os.open("last.tex", os.O_CREAT | os.O_WRONLY, dir_fd=handle))
    os.close(handle)
    codes = {code for code, _ in found(folder)}
    assert "unreadable" in codes
    assert codes <= {"unreadable", "name"}


def test_names_that_differ_only_in_case_fold_together(folder):
    write(folder, "Main.tex")
    assert found(folder) == {("folds", "main.tex")}


def test_names_that_differ_only_in_their_unicode_form_fold_together(folder):
    forms = [unicodedata.normalize(form, "é.tex") for form in ("NFC", "NFD")]
    write(folder, *forms)
    assert found(folder) == {("folds", max(forms))}


def test_folders_that_fold_together_are_found_by_the_files_that_do(folder):
    write(folder, "sections/a.tex", "Sections/a.tex")
    assert found(folder) == {("folds", "sections"), ("folds", "sections/a.tex")}


def test_folders_that_fold_together_are_found_whatever_they_hold(folder):
    write(folder, "sections/a.tex", "Sections/b.tex")
    assert {code for code, _ in found(folder)} == {"folds"}


def test_fold_is_its_own_end():
    assert fold("ÉA/ß") == fold(fold("ÉA/ß")) == fold("éa/SS")


def test_too_many_entries_end_the_reading(folder, monkeypatch):
    monkeypatch.setattr(intake, "MOST_ENTRIES", 20)
    write(folder, *(f"z{number}.tex" for number in range(40)))
    assert ("too-large", "") in found(folder)
    assert len(read_submission(folder).files) <= 21


def test_too_many_files_are_a_finding_however_they_came():
    files = {f"{number}.tex": b"" for number in range(intake.MOST_ENTRIES + 1)}
    assert [finding.code for finding in check_files(files)] == ["too-large"]


def test_a_folder_too_deep_is_not_entered(folder):
    write(folder, "/".join(["d"] * 40) + "/a.tex")
    assert found(folder) == {("too-deep", "/".join(["d"] * (intake.MOST_DEPTH + 1)))}


def test_a_folder_at_the_limit_is_read(folder):
    write(folder, "/".join(["d"] * intake.MOST_DEPTH) + "/a.tex")
    assert not found(folder)


def test_a_file_over_the_size_is_not_read(folder):
    with (folder / "huge.tex").open("wb") as file:
        file.truncate(1 << 30)
    assert found(folder) == {("too-large", "huge.tex")}


def test_more_bytes_than_are_read_in_all_are_a_finding(folder, monkeypatch):
    monkeypatch.setattr(intake, "MOST_BYTES", 10)
    write(folder, "x.tex", "y.tex", "z.tex")
    assert ("too-large", "") in found(folder)
    assert len(read_submission(folder).files) == 2


def test_a_workspace_that_is_missing_is_a_finding(tmp_path):
    submission = read_submission(tmp_path / "app")
    assert [finding.code for finding in submission.findings] == ["no-folder"]
    assert not submission.files


def test_a_workspace_that_is_a_file_is_a_finding(tmp_path):
    write(tmp_path, "app")
    assert [finding.code for finding in read_submission(tmp_path / "app").findings] == ["no-folder"]


def test_a_workspace_that_is_a_link_is_a_finding(folder, tmp_path):
    (tmp_path / "link").symlink_to(folder)
    assert [finding.code for finding in read_submission(tmp_path / "link").findings] == ["no-folder"]


def test_an_empty_workspace_has_no_files_and_no_finding(tmp_path):
    submission = read_submission(tmp_path)
    assert (dict(submission.files), submission.findings) == ({}, ())
