"""What goes over the wire: the action, the observation and the state."""

from __future__ import annotations

from typing import Annotated

from openenv.core.env_server.types import Action, Observation, State
from pydantic import BeforeValidator, Field


def as_text(value: object) -> object:
    """An answer as text: a number, which some harnesses make of `12`, as it was written; no lone surrogates."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return value


class LatexOCRAction(Action):
    """An answer."""

    latex: Annotated[str, BeforeValidator(as_text)] = Field(description="The LaTeX source of the picture's formula")


class LatexOCRObservation(Observation):
    """A picture to read or, after the step, how the answer was judged; the target is empty before that."""

    image_base64: str = ""
    image_format: str = "png"
    prompt: str = ""
    split: str = ""
    index: int = -1
    task_id: str = ""
    total: int = -1
    remaining: int = -1
    pct_done: float = 0.0
    exhausted: bool = False
    predicted_latex: str = ""
    target_latex: str = ""
    exact_match: bool = False
    char_error_rate: float = 1.0


class LatexOCRState(State):
    """Where a session stands; it never holds the target."""

    split: str = ""
    index: int = -1
    open: bool = False
