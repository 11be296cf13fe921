"""`latex-ocr-smoke`: reads data and scores answers for real, without a server."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence

from lattice_env.errors import LatticeError
from lattice_env.families.latex_ocr.episode import Session
from lattice_env.families.latex_ocr.png import is_whole_png
from lattice_env.families.latex_ocr.settings import CHARACTERS, STREAM, Settings, read_settings
from lattice_env.families.latex_ocr.source import Source, open_source
from lattice_env.verifier.answer import unwrap

from .server import complain

ROWS = 3
"""Rows of each split that are looked at."""


def main(_arguments: Sequence[str] | None = None) -> int:
    """Check what the environment's variables name; 0 where all holds, 1 where a check fails, else the error's code."""
    try:
        settings = read_settings(os.environ)
        source = open_source(settings)
        failures = [failure for split in source.splits for failure in check_split(source, settings, split)]
    except LatticeError as error:
        return complain(error)
    for failure in failures:
        print(f"failed: {failure}", file=sys.stderr)  # noqa: T201
    rows = ", ".join(f"{name} {split.size}" for name, split in source.splits.items())
    print(f"{source.name} ({rows}), {settings.mode}: {'not sound' if failures else 'sound'}")  # noqa: T201
    return int(bool(failures))


def check_split(source: Source, settings: Settings, split: str) -> Iterator[str]:
    """What does not hold in the first rows of a split: pictures are whole, right answers earn 1, empty ones less."""
    session = Session(source, settings)
    size = source.splits[split].size
    for number in range(ROWS if size < 0 else min(ROWS, size)):
        rewards: list[float] = []
        for honest in (True, False):
            place, picture = session.reset(split=split, index=None if settings.mode == STREAM else number)
            if place.exhausted:
                return
            if not is_whole_png(picture):
                yield f"{place.task_id}: the picture is no whole PNG"
            target = session.target
            rewards.append(session.step(target if honest else "").judgement.reward)
            if honest and rewards[-1] < 1:
                yield f"{place.task_id}: the right answer earns {rewards[-1]}"
            if not honest and unwrap(target) and settings.reward == CHARACTERS and rewards[-1] > 0:
                yield f"{place.task_id}: an empty answer earns {rewards[-1]}"
    if not size:
        yield f"{split} has no rows"


if __name__ == "__main__":
    sys.exit(main())
