"""`lattice-env image build`, `lattice-env image fingerprint`."""

from __future__ import annotations

from pathlib import Path

import cyclopts

from lattice_env.errors import UsageError
from lattice_env.packages import Pin
from lattice_env.packages.image import build_image, find_engine, image_fingerprint, own_fingerprint

from .places import err

image = cyclopts.App(name="image", help="Images of a toolchain: build one, or take a fingerprint.")


@image.command
def build(
    name: str,
    *,
    tag: str | None = None,
    arg: list[str] | None = None,
    engine: str | None = None,
    network: str = "",
    out: Path | None = None,
) -> int:
    """Build the image of a toolchain, its fingerprint written into it, and print a file for generate --toolchain.

    Parameters
    ----------
    name
        texlive (TeX Live 2025, amd64) or debian (Debian 12 as of one day, amd64 and arm64).
    tag
        The image's name; localhost/lattice-NAME if not given.
    arg
        An argument of the Dockerfile as KEY=VALUE (BASE, ARCHIVE, DAY for debian); repeatable.
    engine
        docker or podman; the first that is here if not given.
    network
        The engine's --network while it builds.
    out
        The file to write; standard output if not given.
    """
    arguments = _arguments(arg or [])
    path, wanted = find_engine(engine), tag or f"localhost/lattice-{name}:latest"
    build_image(name, wanted, path, arguments=arguments, network=network)
    return _write(Pin(name, wanted, (image_fingerprint(wanted, path),)), out)


@image.command
def fingerprint(image: str | None = None, *, name: str = "", engine: str | None = None, out: Path | None = None) -> int:
    """Print the toolchain of an image, or of this machine, as a file for generate --toolchain.

    Parameters
    ----------
    image
        An image, as the engine knows it; this machine if not given.
    name
        What the toolchain is called; the image's name or "local" if not given.
    engine
        docker or podman; the first that is here if not given.
    out
        The file to write; standard output if not given.
    """
    found = image_fingerprint(image, find_engine(engine)) if image else own_fingerprint()
    return _write(Pin(name or image or "local", image or "", (found,)), out)


def _arguments(words: list[str]) -> dict[str, str]:
    pairs = [word.partition("=") for word in words]
    for key, sign, value in pairs:
        if not key or not sign:
            message = f"--arg: expected KEY=VALUE, not {key}{sign}{value}"
            raise UsageError(message)
    return {key: value for key, _, value in pairs}


def _write(pin: Pin, out: Path | None) -> int:
    if out is None:
        print(pin.to_json(), end="")
        return 0
    try:
        out.write_text(pin.to_json(), "utf-8")
    except OSError as error:
        message = f"{out}: cannot be written: {error.strerror}"
        raise UsageError(message) from error
    err().print(f"{pin.name}: {pin.fingerprints[0][:12]} in {out}", markup=False)
    return 0
