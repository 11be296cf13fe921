"""A package is written whole or not at all, and the same task gives the same bytes."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import tomllib

import pytest

from lattice_env.errors import PackageError
from lattice_env.packages import package_files, read_package, write_package
from lattice_env.verifier.intake import read_submission

pytestmark = pytest.mark.tex


def tree(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_the_same_task_gives_the_same_bytes(make):
    assert package_files(make("otter", "TEX-CMD-TRP")) == package_files(make("otter", "TEX-CMD-TRP"))
    assert package_files(make("otter", "TEX-CMD-TRP", "b")) != package_files(make("otter", "TEX-CMD-TRP", "c"))


def test_a_package_has_the_layout_that_harbor_reads(task):
    files = package_files(task)
    assert {path.split("/")[0] for path in files} == {
        "task.toml",
        "instruction.md",
        "environment",
        "solution",
        "tests",
    }
    needed = (
        "environment/Dockerfile environment/workspace/main.tex solution/solve.sh solution/fix.json tests/test.sh"
        " tests/verify.py tests/selftest.py tests/task.json tests/initial/main.tex tests/original/main.tex"
        " tests/selftests/oracle.json tests/lattice_verifier/judge.py"
    )
    assert set(needed.split()) <= files.keys()
    assert list(files) == sorted(files)


def test_the_written_folder_is_the_files_and_its_scripts_can_be_run(task, package):
    assert tree(package) == package_files(task)
    modes = {path.name for path in package.rglob("*") if path.is_file() and os.access(path, os.X_OK)}
    runnable = {path.name for path in package.rglob("*") if path.is_file() and path.stat().st_mode & 0o111}
    assert runnable == {"test.sh", "solve.sh"}
    assert runnable <= modes


def test_what_is_written_is_read_back(task, package):
    read = read_package(package)
    assert read.workspace == dict(task.start)
    assert set(read.cases) == set(task.cases)
    assert read.spec.fault == task.spec.fault
    assert (read.spec.initial, read.spec.original) == (dict(task.spec.initial), dict(task.spec.original))


def test_the_tests_folder_holds_text_only_and_few_files(make):
    for seed, code in (("otter", "TEX-CMD-TRP"), ("heron", "LAT-REF-SWP")):
        inside = {path: data for path, data in package_files(make(seed, code)).items() if path.startswith("tests/")}
        for path, data in inside.items():
            assert b"\0" not in data, path
            assert data.decode("utf-8").isprintable() or "\n" in data.decode("utf-8"), path
        assert len(inside) < 64


def test_the_tests_folder_of_a_latin_1_paper_is_utf_8_too(make):
    for path, data in package_files(make("latin", "TEX-CMD-TRP")).items():
        if path.startswith("tests/"):
            data.decode("utf-8")


def test_the_agent_is_shown_nothing_of_the_fault(task):
    files = package_files(task)
    shown = {path: data for path, data in files.items() if path.startswith(("environment/", "instruction.md"))}
    assert not [path for path, data in shown.items() if task.operator.encode() in data]
    assert {path.removeprefix("environment/workspace/") for path in shown if "workspace" in path} == set(task.start)
    original = files["tests/original/main.tex"]
    assert original not in shown.values()


def test_the_table_of_a_task_says_what_it_is(task):
    table = tomllib.loads(package_files(task)["task.toml"].decode())
    assert table["schema_version"] == "1.4"
    assert table["task"]["name"] == f"lattice/{task.name}"
    metadata = table["metadata"]
    assert (metadata["id"], metadata["operator"], metadata["tier"]) == (task.spec.task, task.operator, task.tier)
    assert (metadata["licence"], metadata["redistributable"]) == (task.licence, True)


def test_the_manifest_covers_every_file_of_the_tests_but_itself(task):
    files = package_files(task)
    manifest = json.loads(files["tests/task.json"])["manifest"]
    inside = {path.removeprefix("tests/"): data for path, data in files.items() if path.startswith("tests/")}
    del inside["task.json"]
    assert manifest == {path: hashlib.sha256(data).hexdigest() for path, data in inside.items()}


def test_a_full_disk_leaves_nothing_half_written(task, small_disk):
    with pytest.raises(PackageError, match="cannot be written: No space left") as caught:
        write_package(task, small_disk / "task")
    assert str(small_disk / "task") in str(caught.value)
    assert list(small_disk.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_named(task, small_disk):
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True, timeout=20)
    with pytest.raises(PackageError, match="cannot be written: Read-only"):
        write_package(task, small_disk / "task")
    assert list(small_disk.iterdir()) == []


def test_a_file_in_the_place_of_the_parent_is_an_error(task, tmp_path):
    (tmp_path / "file").write_text("mine", "utf-8")
    with pytest.raises(PackageError, match="cannot be written"):
        write_package(task, tmp_path / "file" / "task")
    assert (tmp_path / "file").read_text("utf-8") == "mine"


def test_a_folder_that_holds_something_is_left_as_it_is(task, tmp_path):
    (tmp_path / "task").mkdir()
    (tmp_path / "task" / "mine.txt").write_text("mine", "utf-8")
    with pytest.raises(PackageError, match="cannot be written"):
        write_package(task, tmp_path / "task")
    assert tree(tmp_path) == {"task/mine.txt": b"mine"}


def test_what_a_killed_write_left_is_replaced(task, tmp_path):
    (tmp_path / ".task.part" / "tests").mkdir(parents=True)
    (tmp_path / ".task.part" / "tests" / "half.txt").write_text("half", "utf-8")
    write_package(task, tmp_path / "task")
    assert [path.name for path in tmp_path.iterdir()] == ["task"]
    assert tree(tmp_path / "task") == package_files(task)


@pytest.mark.parametrize(
    ("seed", "code"), [("otter", "TEX-CMD-TRP"), ("latin", "TEX-CMD-TRP"), ("heron", "LAT-REF-SWP")]
)
def test_the_solution_gives_the_original_bytes(make, seeds, seed, code, tmp_path):
    task = make(seed, code)
    write_package(task, tmp_path / "task")
    app = tmp_path / "app"
    shutil.copytree(tmp_path / "task" / "environment" / "workspace", app)
    assert read_submission(app).files == dict(task.start)
    solve = [str(tmp_path / "task" / "solution" / "solve.sh"), str(app)]
    subprocess.run(solve, check=True, timeout=60, env={"PATH": "/usr/bin:/bin"}, cwd="/")
    assert read_submission(app).files == dict(seeds[seed].files)


def test_the_solution_fails_loudly_where_the_workspace_is_not_there(package, tmp_path):
    solve = [str(package / "solution" / "solve.sh"), str(tmp_path / "none")]
    done = subprocess.run(solve, capture_output=True, timeout=60, env={"PATH": "/usr/bin:/bin"}, check=False)
    assert done.returncode
    assert not (tmp_path / "none").exists()
