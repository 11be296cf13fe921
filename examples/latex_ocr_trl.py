"""The environment for TRL's `GRPOTrainer(environment_factory=…)`: no GPU, no model, only what TRL calls.

TRL makes one of these for each rollout, calls `reset` with the columns of a data set's row, offers the public
methods with their types and docstrings to the model as tools, and may ask `get_reward` at the end::

    trainer = GRPOTrainer(
        model="…", args=…, train_dataset=Dataset.from_list(rows(URL, "train")),
        environment_factory=LatexOCR, reward_funcs=[],
    )

The server must serve by number (`LATEX_OCR_MODE=materialize`): the rollouts of one group need one picture.
`python examples/latex_ocr_trl.py URL` plays one group of four answers, as TRL would.
"""

from __future__ import annotations

import json
import os
import sys
import urllib.request
from typing import Any

from lattice_env.adapters.latex_ocr.light import LightClient

URL = os.environ.get("LATEX_OCR_URL", "http://127.0.0.1:8000")


def rows(url: str, split: str) -> list[dict[str, Any]]:
    """A row for each task of a split: what `reset` takes."""
    with urllib.request.urlopen(f"{url}/healthz", timeout=60) as reply:  # noqa: S310 - the user's own server
        count = json.load(reply)["splits"][split]
    return [{"prompt": [{"role": "user", "content": ""}], "split": split, "index": index} for index in range(count)]


class LatexOCR:
    """One rollout's environment."""

    def __init__(self) -> None:
        self._client = LightClient(URL).__enter__()
        self._reward = 0.0

    def reset(self, split: str = "train", index: int = 0, **_row: Any) -> list[dict[str, Any]]:
        """The picture and the prompt, as content blocks."""
        self._reward = 0.0
        shown = self._client.reset(split=split, index=index)
        url = f"data:image/png;base64,{shown.observation['image_base64']}"
        return [{"type": "image", "image": url}, {"type": "text", "text": shown.observation["prompt"]}]

    def answer(self, latex: str) -> str:
        """Give the LaTeX of the formula in the picture; this ends the episode.

        Args:
            latex: The LaTeX source, without anything around it.
        """
        judged = self._client.step(latex)
        self._reward = float(judged.reward or 0.0)
        return "The answer was judged."

    def get_reward(self) -> float:
        """What the answer earned; 0 without one."""
        return self._reward

    def __del__(self) -> None:
        self._client.__exit__()


def play_group(row: dict[str, Any], answers: list[str]) -> list[float]:
    """The rewards of a group: one environment to an answer, all with one row."""
    rewards = []
    for answer in answers:
        environment = LatexOCR()
        environment.reset(**row)
        environment.answer(answer)
        rewards.append(environment.get_reward())
    return rewards


if __name__ == "__main__":
    URL = sys.argv[1] if sys.argv[1:] else URL
    print(play_group(rows(URL, "train")[0], ["x", r"\frac{a}{b}", r"\frac{J}{J} = \frac{1}{2}", ""]))
