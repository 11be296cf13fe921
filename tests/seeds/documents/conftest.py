"""A genre in a folder that tests may break."""

from __future__ import annotations

import shutil

import pytest

from lattice_env.seeds.documents.genre import FOLDER, read_genre


@pytest.fixture
def folder(tmp_path):
    """A copy of the purchase order's folder."""
    return shutil.copytree(FOLDER / "purchase-order", tmp_path / "purchase-order")


@pytest.fixture
def broken(folder):
    """A function: the genre, with a text in its `genre.toml` replaced."""

    def read(old, new):
        place = folder / "genre.toml"
        text = place.read_text("ascii")
        assert old in text
        place.write_text(text.replace(old, new, 1), "ascii")
        return read_genre(folder)

    return read
