"""What is taken from a Dockerfile, and what is refused with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from lattice_env.adapters.dockerfile import copy_files, read_recipe
from lattice_env.errors import PackageError
from lattice_env.packages.harbor import DOCKER
from lattice_env.packages.image import image_names


@pytest.fixture
def recipe(tmp_path):
    """A function: the recipe of a Dockerfile's text."""

    def read(text):
        (tmp_path / "Dockerfile").write_text(text, "utf-8")
        return read_recipe(tmp_path / "Dockerfile")

    return read


@pytest.mark.parametrize("name", image_names())
def test_the_dockerfiles_of_our_images(recipe, name):
    text = (DOCKER / f"{name}.Dockerfile").read_text("utf-8")
    read = recipe(f"{text}COPY workspace /app\nWORKDIR /app\n")
    assert read.workdir == "/app"
    assert [(copy.sources, copy.destination) for copy in read.copies] == [(("workspace",), "/app")]


def test_environment_and_folders(recipe):
    read = recipe('FROM x\nENV A=1 B="two words"\nWORKDIR /srv\nworkdir deep\nCOPY a b/\n')
    assert read.environment == {"A": "1", "B": "two words"}
    assert read.workdir == "/srv/deep"
    assert read.copies[0].destination == "/srv/deep/b"
    assert read.copies[0].into


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("FROM x\n\n# said\nEXPOSE 80\n", 4),
        ("FROM x\nRUN a \\\n  # between\n && b\nUSER me\n", 5),
        ("FROM x\nENTRYPOINT \\\n  sh\n", 2),
        ("FROM x\nFROM y\n", 2),
        ("FROM x\nRUN <<EOF\nEOF\n", 2),
        ("FROM x\nENV A=$B\n", 2),
        ("FROM x\nENV A 1\n", 2),
        ("FROM x\nENV A='1\n", 2),
        ("FROM x\nCOPY --chown=1 a b\n", 2),
        ('FROM x\nCOPY ["a", "b"]\n', 2),
        ("FROM x\nCOPY a* b\n", 2),
        ("FROM x\nCOPY ../a b\n", 2),
        ("FROM x\nCOPY a ../../b\n", 2),
        ("FROM x\nCOPY a\n", 2),
        ("FROM x\nWORKDIR ../x\n", 2),
        ("FROM x\nWORKDIR a b\n", 2),
        ("FROM x\nADD a b\n", 2),
    ],
)
def test_anything_else_is_an_error_with_its_line(recipe, tmp_path, text, line):
    with pytest.raises(PackageError, match=f"Dockerfile:{line}: not supported"):
        recipe(text)


def test_a_dockerignore_is_an_error(recipe, tmp_path):
    (tmp_path / ".dockerignore").touch()
    with pytest.raises(PackageError, match="dockerignore"):
        recipe("FROM x\n")


def test_copies_of_files_and_folders(recipe, tmp_path):
    (tmp_path / "tree" / "deep").mkdir(parents=True)
    (tmp_path / "tree" / "deep" / "a file").write_text("a", "utf-8")
    (tmp_path / "one").write_text("1", "utf-8")
    root = tmp_path / "root"
    read = recipe("COPY tree /app\nCOPY one /app\nCOPY one /etc/other\nCOPY one tree/deep /many/\nWORKDIR /w\n")
    copy_files(read, tmp_path, root)
    found = sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())
    assert found == ["app/deep/a file", "app/one", "etc/other", "many/a file", "many/one"]
    assert (root / "w").is_dir()


def test_a_missing_source_is_an_error(recipe, tmp_path):
    with pytest.raises(PackageError, match="COPY nothing: no such"):
        copy_files(recipe("COPY nothing /app\n"), tmp_path, tmp_path / "root")


def test_a_recipe_is_read_from_no_other_place(recipe, tmp_path):
    with pytest.raises(FileNotFoundError):
        read_recipe(Path("/nonexistent/Dockerfile"))
