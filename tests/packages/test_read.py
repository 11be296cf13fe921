"""A task folder that is not as it was made is refused, and the message names what is not."""

from __future__ import annotations

import json
import shutil

import pytest

from lattice_env.errors import PackageError
from lattice_env.packages import checked_package, read_package

pytestmark = pytest.mark.tex

TESTED = (
    "tests/verify.py tests/selftest.py tests/test.sh tests/lattice_verifier/judge.py tests/original/main.tex"
    " tests/initial/refs.bib tests/selftests/oracle.json environment/workspace/main.tex"
    " environment/workspace/figures/river.pdf"
).split()
OTHERS = "instruction.md task.toml environment/Dockerfile solution/solve.sh solution/fix.json".split()
COVERED = [*TESTED, *OTHERS]


def refused(folder, *words):
    with pytest.raises(PackageError) as caught:
        read_package(folder)
    for word in words:
        assert word in str(caught.value)


def test_a_whole_package_is_read(package):
    assert read_package(package).folder == package


@pytest.mark.parametrize("path", COVERED)
def test_an_edited_file_is_named(package, path):
    (package / path).write_bytes((package / path).read_bytes() + b"\n")
    refused(package, path.rsplit("/", 1)[-1])


@pytest.mark.parametrize("path", COVERED)
def test_a_missing_file_is_named(package, path):
    (package / path).unlink()
    refused(package, path.rsplit("/", 1)[-1])


@pytest.mark.parametrize("path", ["tests/extra.py", "tests/lattice_verifier/json.py", "environment/workspace/x.sty"])
def test_an_added_file_is_named(package, path):
    (package / path).write_text("x", "utf-8")
    refused(package, path.rsplit("/", 1)[-1])


def test_a_link_to_a_package_is_as_good_as_the_package(package, tmp_path):
    chosen = tmp_path / "chosen"
    chosen.symlink_to(package)
    assert read_package(chosen).folder == chosen


def test_a_link_in_the_workspace_is_refused(package):
    target = package / "environment" / "workspace" / "main.tex"
    target.rename(package / "elsewhere.tex")
    target.symlink_to(package / "elsewhere.tex")
    refused(package, "main.tex")


def test_a_folder_without_a_task_is_no_task_folder(tmp_path):
    for folder in (tmp_path, tmp_path / "none"):
        refused(folder, str(folder), "not a task folder")
    (tmp_path / "file").write_text("x", "utf-8")
    refused(tmp_path / "file", "not a task folder")


@pytest.mark.parametrize("folder", ["tests/original", "tests/initial", "tests/selftests", "tests/lattice_verifier"])
def test_a_missing_folder_is_an_error(package, folder):
    shutil.rmtree(package / folder)
    refused(package, str(package / "tests"))


def test_a_missing_workspace_is_an_error(package):
    shutil.rmtree(package / "environment")
    refused(package, "workspace", "main.tex")


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"format": 1}', '{"budget": NaN}'])
def test_a_spec_that_does_not_parse_is_named(package, text):
    (package / "tests" / "task.json").write_text(text, "utf-8")
    refused(package, "task.json")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("format", 2),
        ("family", "doc-edit"),
        ("engine", "xelatex"),
        ("budget", "40"),
        ("budget", 1.5),
        ("fault", {}),
        ("manifest", {}),
        ("extra", 1),
        ("editable", [7]),
        pytest.param("editable", ["../../task.toml"]),
        pytest.param("budget", 10**9),
        pytest.param("reference_size", 10**9),
    ],
)
def test_an_edited_spec_is_refused(package, key, value):
    path = package / "tests" / "task.json"
    body = json.loads(path.read_text("utf-8"))
    assert body.get(key) != value
    path.write_text(json.dumps(body | {key: value}), "utf-8")
    refused(package, "tests")


def test_compiled_python_beside_the_verifier_is_no_edit(package):
    cache = package / "tests" / "lattice_verifier" / "__pycache__"
    cache.mkdir()
    (cache / "judge.cpython-312.pyc").write_bytes(b"x")
    assert checked_package(package).task == read_package(package).spec.task
