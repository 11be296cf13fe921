"""The peer of most figures: one bare latexmk, without a sandbox, limits, or anything read from its products."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from lattice_env.model import Files, PaperSeed
from lattice_env.verifier.toolchain import toolchain

from .clock import timed

OPTIONS = ("-norc", "-pdf", "-interaction=nonstopmode", "-halt-on-error")


class UnsoundError(Exception):
    """What was to be measured did not happen, so that its seconds would mean nothing."""


def write_tree(files: Files, folder: Path) -> None:
    """`files` below `folder`, which need not exist."""
    for path, data in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


def bare_seconds(seed: PaperSeed) -> float:
    """The seconds of one bare latexmk of the good paper, in a fresh folder; UnsoundError where it makes no PDF."""
    with tempfile.TemporaryDirectory(prefix="bare-") as scratch:
        folder = Path(scratch)
        write_tree(seed.files, folder)
        command = [toolchain().path("latexmk"), *OPTIONS, seed.root]
        seconds, done = timed(
            lambda: subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        )
        if done.returncode or not (folder / seed.root).with_suffix(".pdf").is_file():
            message = f"latexmk does not build {seed.name}: exit code {done.returncode}"
            raise UnsoundError(message)
    return seconds


def pair_seconds(seeds: Sequence[PaperSeed]) -> float:
    """The seconds in which two bare latexmk, side by side, build every paper twice: the machine's own two workers."""

    def stream(papers: Sequence[PaperSeed]) -> float:
        return sum(bare_seconds(seed) for seed in papers)

    with ThreadPoolExecutor(2) as both:
        seconds, _ = timed(lambda: list(both.map(stream, (seeds, seeds[::-1]))))
    return seconds
