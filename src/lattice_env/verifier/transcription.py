"""What a transcription earns: `[(1 - w) (1 - CER) + w exact] * length factor`, the seed's formula with its defaults.

One function for the server, the packages and the tests::

    answer ─▶ unwrap (fence, dollars) ─▶ tokens ─▶ joined ─▶ error rate, exact match, length factor
"""

from __future__ import annotations

import functools
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

from .answer import join, joined, printed_length, tokens, unwrap, without_space
from .distance import edit_distance
from .padding import looks_padded, once, pared, without_prose

LONGEST_WRAPPING = 64
"""More characters than a fence with its language and dollars around an answer have."""
DIGITS = 6
"""Decimals of every number that is told."""


@dataclass(frozen=True)
class Knobs:
    """What an operator of the environment may turn; ValueError for what no reward can be made of."""

    exact_weight: float = 0.4
    """The share of the reward that only an exact answer earns, 0 to 1."""
    overlong_ratio: float = 4.0
    """How many times as long as the target an answer may be at no cost; 0 or less switches the guard off."""
    overlong_floor: int = 80
    """Characters that an answer may always have."""

    def __post_init__(self) -> None:
        if not 0 <= self.exact_weight <= 1:
            message = f"the exact weight must lie between 0 and 1, not {self.exact_weight}"
            raise ValueError(message)
        if not self.overlong_ratio < float("inf") or self.overlong_floor < 0:
            message = f"no length guard can have ratio {self.overlong_ratio} and floor {self.overlong_floor}"
            raise ValueError(message)


@dataclass(frozen=True)
class Parts:
    """A reward and all that it was made of."""

    reward: float
    exact_match: bool
    char_error_rate: float
    """Edits over the longer of both, 0 to 1."""
    length_factor: float

    def to_json(self) -> dict[str, float | bool]:
        """The parts as plain data."""
        return dict(vars(self))


DEFAULT = Knobs()


def score(answer: str, target: str, knobs: Knobs = DEFAULT) -> Parts:
    """What `answer` earns where `target` was asked for; any two strings have a score.

    Both are unwrapped alike. White space never counts, but for the length guard, which measures the answer as
    it was given. An answer with something that prints nothing, or with sentences, that the target lacks is compared
    without them too, and the highest error rate counts: padding brings nothing. What the guard leaves nothing is not
    aligned, so that its cost is bounded: unless it is exact, its error rate is told as 1.
    """
    wanted = _read(target)
    factor = length_factor(answer, wanted.text, knobs)
    exact = is_exact(answer, wanted.joined)
    rate = error_rate(answer, target) if factor and not exact else float(not exact)
    earned = ((1 - knobs.exact_weight) * (1 - rate) + knobs.exact_weight * exact) * factor
    return Parts(round(earned, DIGITS), exact, round(rate, DIGITS), round(factor, DIGITS))


def length_factor(answer: str, target: str, knobs: Knobs) -> float:
    """1 for an answer within the allowance, then falling in a line, to 0 at twice the allowance."""
    if knobs.overlong_ratio <= 0:
        return 1.0
    allowed = max(knobs.overlong_floor, knobs.overlong_ratio * printed_length(target))
    return min(1.0, max(0.0, 2 - len(answer) / allowed)) if allowed else float(not answer)


def is_exact(answer: str, wanted: str) -> bool:
    """Whether `answer`, unwrapped and joined, is `wanted`; answers far longer are not even looked into."""
    return len(without_space(answer)) <= len(wanted) + LONGEST_WRAPPING and joined(unwrap(answer)) == wanted


def error_rate(answer: str, target: str) -> float:
    """Edits over the longer of both, unwrapped and joined; of a padded answer or of what is left of it, the higher."""
    given, wanted = _read.__wrapped__(answer), _read(target)
    rate = _rate(given.joined, wanted.joined)
    if not given.padding - wanted.padding:
        return rate
    return max(rate, *(_rate(given.printed, text) for text in {wanted.printed, wanted.joined}))


@dataclass(frozen=True)
class _Reading:
    text: str
    joined: str
    printed: str
    """What is left where nothing is kept that prints nothing, and no sentence, joined."""
    padding: Counter[str]
    """The tokens that are left out of it, how many empty groups, and whether it is said again."""


_NONE: Counter[str] = Counter()


@functools.lru_cache(maxsize=4096)
def _read(latex: str) -> _Reading:
    """An answer or a target as it is compared; kept for targets, which come again."""
    text = unwrap(latex)
    whole = joined(text)
    if not looks_padded(text, whole):
        return _Reading(text, whole, whole, _NONE)
    found, left = tokens(text), pared(without_prose(text))
    # Empty groups and repetitions count by themselves: the braces and letters of a phantom in the target are no leave.
    marks = Counter(f"{one}{other}" for one, other in pairwise(found) if one == "{" and other == "}")
    marks["again"] = int(len(once(found)) < len(found))
    return _Reading(text, whole, join(left), Counter(found) - Counter(left) + marks)


def _rate(given: str, wanted: str) -> float:
    short, long = sorted((given, wanted), key=len)
    return edit_distance(short, long) / len(long) if long else 0.0
