"""The registry finds what lies in a folder, in one order, and takes no file for nothing."""

from __future__ import annotations

import sys

import pytest

from lattice_env.registry import collect


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A package of our own on the path, under a name that no other test uses."""
    package = tmp_path / "registry_under_test"
    package.mkdir()
    (package / "__init__.py").write_text("", "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield package
    for name in [name for name in sys.modules if name.startswith(package.name)]:
        del sys.modules[name]


def test_things_come_in_the_order_of_their_files_names(folder):
    for name in ("zebra", "ant", "mole"):
        (folder / f"{name}.py").write_text(f"THING = {name!r}\n", "utf-8")
    assert list(collect(folder.name, "THING")) == ["ant", "mole", "zebra"]


def test_a_folder_without_modules_holds_nothing(folder):
    assert list(collect(folder.name, "THING")) == []


def test_a_file_without_the_thing_is_an_error_that_names_both(folder):
    (folder / "ant.py").write_text("OTHER = 1\n", "utf-8")
    with pytest.raises(AttributeError, match=r"registry_under_test\.ant.*THING"):
        list(collect(folder.name, "THING"))


def test_a_file_that_breaks_is_not_passed_over(folder):
    (folder / "ant.py").write_text("1 / 0\n", "utf-8")
    with pytest.raises(ZeroDivisionError):
        list(collect(folder.name, "THING"))


def test_a_folder_that_is_not_there_is_an_error():
    with pytest.raises(ModuleNotFoundError, match="no_such_package"):
        list(collect("no_such_package", "THING"))
