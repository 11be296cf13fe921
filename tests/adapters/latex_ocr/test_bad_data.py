"""Data sets that are not what they should be: a typed error to the client that meets it, and nothing to the others."""

from __future__ import annotations

import io
import socket

import pytest

from lattice_env.adapters.latex_ocr import smoke
from lattice_env.adapters.latex_ocr.light import LightClient
from lattice_env.errors import EpisodeError
from lattice_env.families.latex_ocr.png import grey_png, is_whole_png

from .conftest import running, wait_for_sessions

pytestmark = pytest.mark.openenv
PICTURE = grey_png(b"P5 3 2 255\n" + bytes(range(6)))


def encoded(mode, kind):
    from PIL import Image

    written = io.BytesIO()
    Image.new(mode, (4, 3)).save(written, kind)
    return written.getvalue()


@pytest.fixture
def serve_rows(tmp_path):
    """A function: a server of a Parquet file with these pictures, each a picture of `x`."""

    def served(*pictures, text="text"):
        import pyarrow as pa
        from pyarrow import parquet

        image = pa.array(pictures, pa.binary())
        path = tmp_path / "rows.parquet"
        parquet.write_table(pa.table({"image": image, text: pa.array(["x"] * len(pictures), pa.string())}), path)
        return running({"LATEX_OCR_DATASET": str(path)})

    return served


def test_a_column_of_jpeg_bytes_is_served_as_png(serve_rows):
    with serve_rows(encoded("RGB", "JPEG")) as server, LightClient(server.url) as client:
        assert is_whole_png(client.reset(index=0).picture)
        assert client.step("x").reward == 1


def test_a_column_of_cmyk_pictures_is_served_as_png(serve_rows):
    with serve_rows(encoded("CMYK", "TIFF")) as server, LightClient(server.url) as client:
        assert is_whole_png(client.reset(index=0).picture)
        assert client.step("x").reward == 1


@pytest.mark.parametrize(
    "broken", [b"", b"none", PICTURE[:-5], encoded], ids=["empty", "no picture", "cut", "cut JPEG"]
)
def test_a_corrupt_row_is_an_error_to_who_asked_for_it_alone(serve_rows, broken):
    data = broken("RGB", "JPEG")[:200] if callable(broken) else broken
    with serve_rows(data, PICTURE) as server, LightClient(server.url) as one, LightClient(server.url) as other:
        other.reset(index=1)
        with pytest.raises(EpisodeError) as refused:
            one.reset(index=0)
        assert refused.value.code == "bad-row"
        assert other.step("x").reward == 1
        assert one.reset(index=1).picture == PICTURE


def test_a_data_set_without_rows_is_a_typed_error_and_the_session_lives(serve_rows):
    with serve_rows() as server, LightClient(server.url) as client:
        for _ in range(2):
            with pytest.raises(EpisodeError) as refused:
                client.reset()
            assert refused.value.code == "empty-split"


def test_a_missing_column_is_named_before_anything_is_served(serve_rows, tmp_path, monkeypatch, capsys):
    from lattice_env.errors import DatasetError

    with pytest.raises(DatasetError, match="no column 'text'"), serve_rows(PICTURE, text="label"):
        pass
    monkeypatch.setenv("LATEX_OCR_DATASET", str(tmp_path / "rows.parquet"))
    assert smoke.main() == 4
    assert "no column 'text'" in capsys.readouterr().err


def test_a_client_that_vanishes_in_mid_episode_takes_nothing_from_the_other(serve_rows):
    with serve_rows(PICTURE) as server, LightClient(server.url) as other:
        other.reset(index=0)
        gone = LightClient(server.url).__enter__()
        gone.reset(index=0)
        gone._socket.socket.shutdown(socket.SHUT_RDWR)  # noqa: SLF001 - no farewell
        wait_for_sessions(server.url, 1)
        assert other.step("x").reward == 1
