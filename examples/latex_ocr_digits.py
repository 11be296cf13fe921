"""A small real model reads real handwriting through the server.

::

    uv venv digits && uv pip install --python digits --no-deps pmsh-ocr -e .
    uv pip install --python digits opencv-python-headless onnxruntime scikit-learn websockets
    digits/bin/python examples/latex_ocr_digits.py make DIR
    LATEX_OCR_DATASET=DIR latex-ocr-server &
    digits/bin/python examples/latex_ocr_digits.py play http://127.0.0.1:8000

The pictures are numbers and fractions put together from the handwritten digits that come with scikit-learn; the
model is pmsh-ocr (MIT, 23 MB of ONNX), on the processor.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from statistics import mean
from typing import Any

import cv2
import numpy as np
from sklearn.datasets import load_digits

from lattice_env.adapters.latex_ocr.light import LightClient
from lattice_env.keys import Choices

COUNT = 100
SCALE, GAP, MARGIN = 6, 4, 24
"""Pixels: of a digit's pixel, between digits, around everything."""


def make(folder: Path) -> None:
    """Write `test/labels.jsonl` and its pictures: three numbers to a fraction."""
    digits = load_digits()
    (folder / "test").mkdir(parents=True)
    labels: list[str] = []
    for index in range(COUNT):
        choices = Choices("latex-ocr", "digits", str(index))
        picture, text = _number(digits, choices, 2 + choices.below(3))
        if index % 4 == 3:  # noqa: PLR2004 - every fourth
            picture, text = _fraction(_number(digits, choices, 2), _number(digits, choices, 2))
        whole = np.pad(picture, MARGIN, constant_values=255)
        cv2.imwrite(str(folder / "test" / f"{index:03}.png"), whole)
        labels.append(json.dumps({"image": f"{index:03}.png", "text": text}) + "\n")
    (folder / "test" / "labels.jsonl").write_text("".join(labels), "utf-8")


def _number(digits: Any, choices: Choices, length: int) -> tuple[np.ndarray, str]:
    drawn = [choices.below(len(digits.images)) for _ in range(length)]
    glyphs = [_glyph(digits.images[place]) for place in drawn]
    gap = np.full((glyphs[0].shape[0], GAP), 255, np.uint8)
    row = np.hstack([part for glyph in glyphs for part in (glyph, gap)])
    return row, "".join(str(digits.target[place]) for place in drawn)


def _glyph(image: np.ndarray) -> np.ndarray:
    ink = 255 - (image / 16 * 255).astype(np.uint8)
    return cv2.resize(ink, None, fx=SCALE, fy=SCALE, interpolation=cv2.INTER_CUBIC)


def _fraction(above: tuple[np.ndarray, str], below: tuple[np.ndarray, str]) -> tuple[np.ndarray, str]:
    bar = np.full((3 * GAP, above[0].shape[1]), 255, np.uint8)
    bar[GAP : 2 * GAP] = 0
    return np.vstack([above[0], bar, below[0]]), rf"\frac{{{above[1]}}}{{{below[1]}}}"


def play(url: str) -> dict[str, float]:
    """What the model earns on all pictures: exact rate, mean reward, mean error rate."""
    from pmsh import PMSHOCR  # noqa: PLC0415 - `make` does not need it

    model, exact, rewards, rates = PMSHOCR(), [], [], []
    with LightClient(url) as client:
        for index in range(COUNT):
            shown = client.reset(split="test", index=index)
            image = cv2.imdecode(np.frombuffer(shown.picture, np.uint8), cv2.IMREAD_COLOR)
            judged = client.step((model.inference(image) or {"ctc_text": ""})["ctc_text"])
            exact.append(judged.observation["exact_match"])
            rates.append(judged.observation["char_error_rate"])
            rewards.append(judged.reward)
    return {
        "episodes": COUNT,
        "exact": mean(exact),
        "mean_reward": round(mean(rewards), 3),
        "cer": round(mean(rates), 3),
    }


if __name__ == "__main__":
    what, where = sys.argv[1:]
    if what == "make":
        make(Path(where))
    else:
        print(json.dumps(play(where)))
