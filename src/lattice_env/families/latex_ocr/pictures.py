"""Pictures as a data set holds them, made into the PNGs that agents see."""

from __future__ import annotations

import functools
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from lattice_env.errors import DatasetError
from lattice_env.extras import need

from .png import SIGNATURE, is_whole_png

MOST_PIXELS = 16_000_000
"""Pixels of the largest picture that is decoded: a bomb is no formula."""


def png_of(value: object) -> bytes:
    """A PNG of what an image column holds: bytes of any picture, a path, or a mapping with either.

    A whole PNG passes through as it is; anything else is decoded and written anew, as grey or RGB. DatasetError for
    what is no picture.
    """
    data = _bytes_of(value)
    if is_whole_png(data):
        return data
    if data.startswith(SIGNATURE):
        raise DatasetError("the picture is a PNG that breaks off or was changed")
    return _converted(data)


def _bytes_of(value: object) -> bytes:
    if isinstance(value, (bytes, bytearray)):
        return bytes(value)
    if isinstance(value, Mapping):
        fields = cast("Mapping[str, object]", value)
        return _bytes_of(fields.get("bytes") or fields.get("path"))
    if isinstance(value, (str, Path)) and value:
        try:
            return Path(value).read_bytes()
        except (OSError, ValueError) as error:
            message = f"the picture cannot be read: {error}"
            raise DatasetError(message) from error
    message = f"a picture cannot be of type {type(value).__name__}"
    raise DatasetError(message)


@functools.lru_cache(maxsize=1024)
def _converted(data: bytes) -> bytes:
    pillow: Any = need("PIL.Image", "ocr")
    written = io.BytesIO()
    try:
        with pillow.open(io.BytesIO(data)) as picture:
            if picture.width * picture.height > MOST_PIXELS:
                message = f"the picture has more than {MOST_PIXELS} pixels"
                raise DatasetError(message)
            _on_white(pillow, picture).save(written, format="PNG")
    except (OSError, ValueError, SyntaxError, EOFError, pillow.DecompressionBombError) as error:
        message = f"the picture cannot be decoded: {error}"
        raise DatasetError(message) from error
    return written.getvalue()


def _on_white(pillow: Any, picture: Any) -> Any:
    """The picture as grey or RGB; what is transparent is paper."""
    if picture.mode in ("1", "L"):
        return picture.convert("L")
    if "A" not in picture.getbands() and "transparency" not in picture.info:
        return picture.convert("RGB")
    layer = picture.convert("RGBA")
    paper = pillow.new("RGBA", layer.size, "white")
    return pillow.alpha_composite(paper, layer).convert("RGB")
