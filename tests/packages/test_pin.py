"""A task says which toolchains may judge it, and carries its workspace only where an image is published."""

from __future__ import annotations

import json

import pytest

from lattice_env.errors import DataError
from lattice_env.packages import Pin, package_files, read_package, read_pin, write_package
from lattice_env.verifier.entry import judge_package
from lattice_env.verifier.toolchain import toolchain
from lattice_env.verifier.verdict import INFRA_ERROR

IMAGE = "example.org/lattice/debian@sha256:" + "1" * 64
PIN = Pin("debian", IMAGE, ("a" * 64, "b" * 64))


def test_a_pin_is_read_as_it_was_written(tmp_path):
    (tmp_path / "pin.json").write_text(PIN.to_json(), "utf-8")
    assert read_pin(tmp_path / "pin.json") == PIN


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"fingerprints": []}, "fingerprints"),
        ({"fingerprints": ["abc"]}, "fingerprints"),
        ({"fingerprints": ["a" * 64, 1]}, "fingerprints"),
        ({"fingerprints": "a" * 64}, "fingerprints"),
        ({"image": "x\nRUN rm -rf /"}, "image"),
        ({"image": None}, "image"),
        ({"more": 1}, "expected an object with"),
    ],
)
def test_a_pin_that_is_none_says_why(tmp_path, change, why):
    (tmp_path / "pin.json").write_text(json.dumps(json.loads(PIN.to_json()) | change), "utf-8")
    with pytest.raises(DataError, match=why):
        read_pin(tmp_path / "pin.json")


@pytest.mark.parametrize("text", ["", "[]", "{"])
def test_a_file_that_is_no_pin_says_so(tmp_path, text):
    (tmp_path / "pin.json").write_text(text, "utf-8")
    with pytest.raises(DataError, match=r"pin\.json"):
        read_pin(tmp_path / "pin.json")


def test_a_missing_file_says_so(tmp_path):
    with pytest.raises(DataError, match="No such file"):
        read_pin(tmp_path / "pin.json")


@pytest.mark.tex
def test_a_task_for_a_published_image_carries_its_workspace_only(task):
    files = package_files(task, PIN)
    assert files["environment/Dockerfile"].decode() == f"FROM {IMAGE}\nCOPY workspace /app\nWORKDIR /app\n"
    others = {path for path in files if path.startswith("environment/") and "/workspace/" not in path}
    assert others == {"environment/Dockerfile"}
    assert files["tests/toolchain.json"].decode() == PIN.to_json()


@pytest.mark.tex
def test_a_task_for_any_toolchain_names_none(task):
    assert "tests/toolchain.json" not in package_files(task)


@pytest.mark.tex
def test_a_task_for_another_toolchain_is_whole_and_judges_nothing(task, tmp_path):
    write_package(task, tmp_path / "task", PIN)
    package = read_package(tmp_path / "task")
    verdict = judge_package(package.tests, tmp_path / "task" / "environment" / "workspace")
    assert (verdict.status, verdict.reward) == (INFRA_ERROR, None)


@pytest.mark.tex
def test_a_task_for_this_toolchain_is_judged(task, tmp_path, builds):
    write_package(task, tmp_path / "task", Pin("here", "", (toolchain().fingerprint,)))
    verdict = judge_package(tmp_path / "task" / "tests", tmp_path / "task" / "environment" / "workspace", builds)
    assert verdict.reward == 0
