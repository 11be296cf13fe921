"""A toolchain by name: the image that holds it and the fingerprints by which it is known; `--toolchain FILE`."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

from lattice_env.errors import DataError

_FINGERPRINT = re.compile(r"[0-9a-f]{64}")
_IMAGE = re.compile(r"[a-z0-9][a-zA-Z0-9._/:@-]*")


@dataclass(frozen=True)
class Pin:
    """What may judge a task. A task without one is judged by any toolchain."""

    name: str
    image: str
    """What `FROM` says of the published image, by digest where there is one; empty: each task builds it all."""
    fingerprints: tuple[str, ...]
    """One for each machine that the image is published for (amd64, arm64)."""

    def to_json(self) -> str:
        """The pin as canonical JSON, ending in a newline: `--toolchain FILE`, and `tests/toolchain.json`."""
        return json.dumps(asdict(self), indent=1, sort_keys=True) + "\n"


def read_pin(path: Path) -> Pin:
    """The pin of a file; DataError names what is wrong with it."""
    try:
        body: Any = json.loads(path.read_text("utf-8"))
        return _checked(body)
    except OSError as error:
        message = f"{path}: {error.strerror}"
        raise DataError(message, hint="lattice-env image fingerprint --out FILE writes one") from error
    except ValueError as error:
        message = f"{path}: {error}"
        raise DataError(message, hint="lattice-env image fingerprint --out FILE writes one") from error


def _checked(body: object) -> Pin:
    fields = cast("dict[str, Any]", body) if isinstance(body, dict) else {}
    if fields.keys() != {"name", "image", "fingerprints"}:
        message = "expected an object with name, image and fingerprints"
        raise ValueError(message)
    name, image, listed = fields["name"], fields["image"], fields["fingerprints"]
    if not isinstance(name, str) or not isinstance(image, str) or (image and not _IMAGE.fullmatch(image)):
        message = f"name and image: expected text, the image as FROM takes it, not {name!r} and {image!r}"
        raise ValueError(message)
    words = cast("list[object]", listed) if isinstance(listed, list) else []
    texts = tuple(word for word in words if isinstance(word, str) and _FINGERPRINT.fullmatch(word))
    if not words or len(texts) != len(words):
        message = "fingerprints: expected some, of 64 hexadecimal digits each"
        raise ValueError(message)
    return Pin(name, image, texts)
