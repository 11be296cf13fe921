"""A corpus as files: what `build-data` writes, and what a source reads."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping, Sequence

from .corpus import TEST, TRAIN, Formula


def corpus_files(formulas: Sequence[Formula], pictures: Sequence[bytes | None]) -> dict[str, bytes]:
    """`<split>/<number>.png` and `<split>/labels.jsonl` by path; what was not printed is left out."""
    files: dict[str, bytes] = {}
    for split in (TRAIN, TEST):
        labels: list[str] = []
        for formula, picture in zip(formulas, pictures, strict=True):
            if picture is None or formula.split != split:
                continue
            name = f"{len(labels):06}.png"
            files[f"{split}/{name}"] = picture
            row = {"image": name, "text": formula.latex, "origin": formula.origin}
            labels.append(json.dumps(row | {"font": formula.font, "size": formula.size}, sort_keys=True) + "\n")
        files[f"{split}/labels.jsonl"] = "".join(labels).encode()
    return files


def archive(files: Mapping[str, bytes]) -> bytes:
    """The files as a zip that holds no time: PNGs do not get smaller, so nothing is compressed."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_STORED) as target:
        for path in sorted(files):
            target.writestr(zipfile.ZipInfo(path), files[path])
    return written.getvalue()
