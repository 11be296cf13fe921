"""Answers that are labelled right or wrong, and how each reward judges them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from lattice_env.errors import DatasetError

from .equivalence import bare
from .judge import judge
from .press import PRESS
from .settings import RENDER, REWARDS, Settings

LABELLED = Path(__file__).parent / "labelled.jsonl"
"""Right: prints as the target does, to the pixel. Wrong: one glyph, script or structure off."""


WITHOUT_TEX = tuple(reward for reward in REWARDS if reward != RENDER)


@dataclass(frozen=True)
class Label:
    """One labelled answer."""

    answer: str
    target: str
    right: bool


def read_labels(path: Path) -> list[Label]:
    """The labelled answers of a file; DatasetError names the line that is none."""
    found: list[Label] = []
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        message = f"{path}: {error}"
        raise DatasetError(message) from error
    for number, line in enumerate(lines, 1):
        try:
            found.append(Label(**json.loads(line)))
        except (ValueError, TypeError) as error:
            message = f"{path}:{number}: not an object of answer, target and right"
            raise DatasetError(message) from error
    return found


def measure(labels: Sequence[Label], rewards: Sequence[str] = WITHOUT_TEX) -> list[dict[str, str | int | float]]:
    """For each reward and each verdict: how many answers, how many paid in full, and the mean."""
    rows: list[dict[str, str | int | float]] = []
    if RENDER in rewards:
        PRESS.pages(bare(text) for label in labels for text in (label.answer, label.target))  # all in few documents
    for reward in rewards:
        settings = Settings(reward=reward)
        for right in (True, False):
            paid = [judge(label.answer, label.target, settings).reward for label in labels if label.right is right]
            full, middle = sum(one == 1 for one in paid), round(mean(paid), 3) if paid else 0.0
            verdict = "right" if right else "wrong"
            rows.append({"reward": reward, "answers": verdict, "of": len(paid), "full": full, "mean": middle})
    return rows
