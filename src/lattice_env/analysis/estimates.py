"""Numbers that are estimated from few attempts, with how sure they are."""

from __future__ import annotations

from math import comb, sqrt

Z = 1.959963984540054
"""Of a 95 % interval."""


def wilson(mean: float, count: int) -> tuple[float, float] | None:
    """Wilson's 95 % interval around the mean of `count` values in [0, 1]; None without any.

    Exact in form for rewards of 0 and 1. For rewards between it is wider than it need be, never narrower: no values in
    [0, 1] with this mean vary more than zeros and ones do.
    """
    if not count:
        return None
    share = Z * Z / count
    centre = (mean + share / 2) / (1 + share)
    half = Z * sqrt(mean * (1 - mean) / count + share / (4 * count)) / (1 + share)
    # At the ends the formula gives 0 and 1 but for rounding.
    return max(0.0, centre - half) if mean else 0.0, min(1.0, centre + half) if mean < 1 else 1.0


def pass_at(k: int, count: int, passed: int) -> float:
    """The chance that k of `count` attempts, of which `passed` passed, hold one that passed; ValueError for k > count.

    The unbiased estimate of Chen et al. (2021): 1 - C(count - passed, k) / C(count, k).
    """
    if not 1 <= k <= count:
        message = f"pass@{k} needs at least {k} attempts, not {count}"
        raise ValueError(message)
    return 1 - comb(count - passed, k) / comb(count, k)
