"""What a figure is: a measured quantity over its peer's, with the aim beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any


@dataclass(frozen=True)
class Measure:
    """What is measured, and against what."""

    benchmark: str
    name: str
    peer: str
    """What the measured quantity is divided by."""
    unit: str
    """The unit of both quantities."""
    aim: float
    at_least: bool = False
    """Whether the ratio must not be below the aim; else it must not be above."""
    informative: bool = False
    """Whether the aim is only a landmark: the figure is shown, and nothing depends on it."""


@dataclass(frozen=True)
class Figure:
    """One ratio of one run."""

    measure: Measure
    subject: str
    """The papers, or the task, that it was measured on."""
    measured: float
    reference: float
    """The peer's quantity."""

    @property
    def ratio(self) -> float:
        """The measured quantity over the peer's."""
        return self.measured / self.reference

    @property
    def met(self) -> bool:
        """Whether the ratio keeps the aim."""
        aim = self.measure.aim
        return self.ratio >= aim if self.measure.at_least else self.ratio <= aim

    @property
    def state(self) -> str:
        """In words whether the aim is met."""
        word = "met" if self.met else "missed"
        return f"({word})" if self.measure.informative else word

    def to_json(self) -> dict[str, Any]:
        """The figure and its measure as one flat object."""
        own = {"subject": self.subject, "measured": self.measured, "reference": self.reference}
        return {**vars(self.measure), **own, "ratio": self.ratio, "met": self.met}


@dataclass(frozen=True)
class Report:
    """What one benchmark found: its figures, and the samples that they are made of."""

    figures: tuple[Figure, ...]
    samples: tuple[dict[str, Any], ...]
    """One object for each thing that was timed or counted, in the order of time."""


def overall(measure: Measure, subject: str, figures: Sequence[Figure]) -> Figure:
    """The medians of several figures' ratios, as one figure over 1."""
    ratios = (figure.ratio for figure in figures if figure.measure == measure)
    return Figure(measure, subject, median(ratios), 1.0)
