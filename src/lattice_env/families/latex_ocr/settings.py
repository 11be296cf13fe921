"""The environment variables: one table, read once, strictly."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from lattice_env.errors import UsageError
from lattice_env.verifier.transcription import Knobs

BUILTIN, HUB_DEFAULT = "builtin", "unsloth/LaTeX_OCR"
MATERIALIZE, STREAM = "materialize", "stream"
CHARACTERS, EQUIVALENCE, TIERED, RENDER = "characters", "equivalence", "tiered", "render"
REWARDS = (CHARACTERS, EQUIVALENCE, TIERED, RENDER)
PROMPT = "Write the LaTeX source of the formula in this picture. Answer with the LaTeX alone."


@dataclass(frozen=True)
class Settings:
    """What an environment serves, and how it pays; each field is the variable `LATEX_OCR_<FIELD>`."""

    dataset: str = ""
    """A hub id, a folder, a `.zip` of one, a Parquet file or `builtin`; empty for the default."""
    config: str = ""
    splits: tuple[str, ...] = ()
    """The splits to serve; empty for those of `train,test` that there are."""
    image_column: str = "image"
    text_column: str = "text"
    mode: str = MATERIALIZE
    max_rows: int | None = None
    seed: int = 0
    shuffle_buffer: int = 0
    stream_range_cap: int = 100_000
    max_sessions: int = 16
    exact_weight: float = 0.4
    overlong_ratio: float = 4.0
    overlong_floor: int = 80
    prompt: str = PROMPT
    reward: str = CHARACTERS
    reveal_target: bool = True

    @property
    def knobs(self) -> Knobs:
        """What the reward's formula takes."""
        return Knobs(self.exact_weight, self.overlong_ratio, self.overlong_floor)


def read_settings(environment: Mapping[str, str]) -> Settings:
    """The settings of an environment; UsageError names the variable that is not what it must be.

    A variable that is set to nothing counts as unset.
    """
    values: dict[str, Any] = {}
    for name, read in _READERS.items():
        text = environment.get(variable(name), "").strip()
        if text:
            values[name] = _read(variable(name), text, read)
    settings = Settings(**values)
    try:
        _ = settings.knobs
    except ValueError as error:
        raise UsageError(str(error), hint="see LATEX_OCR_EXACT_WEIGHT and LATEX_OCR_OVERLONG_*") from error
    return settings


def variable(name: str) -> str:
    """The environment variable of a field."""
    return f"LATEX_OCR_{name.upper()}"


def _read(name: str, text: str, read: Callable[[str], Any]) -> Any:
    try:
        return read(text)
    except ValueError as error:
        message = f"{name} cannot be {text!r}: {error}"
        raise UsageError(message) from error


def _names(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    if len(set(names)) < len(names):
        raise ValueError("a split is named twice")
    return names


def _at_least(least: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        number = int(text)
        if number < least:
            message = f"less than {least}"
            raise ValueError(message)
        return number

    return read


def _one_of(*words: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in words:
            message = f"not one of {', '.join(words)}"
            raise ValueError(message)
        return text

    return read


def _flag(text: str) -> bool:
    words = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
    if text.lower() not in words:
        raise ValueError("neither 1 nor 0")
    return words[text.lower()]


_READERS: dict[str, Callable[[str], Any]] = {
    "dataset": str,
    "config": str,
    "splits": _names,
    "image_column": str,
    "text_column": str,
    "mode": _one_of(MATERIALIZE, STREAM),
    "max_rows": _at_least(1),
    "seed": int,
    "shuffle_buffer": _at_least(0),
    "stream_range_cap": _at_least(1),
    "max_sessions": _at_least(1),
    "exact_weight": float,
    "overlong_ratio": float,
    "overlong_floor": _at_least(0),
    "prompt": str,
    "reward": _one_of(*REWARDS),
    "reveal_target": _flag,
}
