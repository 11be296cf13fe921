"""Intervals and pass@k against their definitions."""

from __future__ import annotations

from itertools import combinations
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lattice_env.analysis.estimates import Z, pass_at, wilson


@given(st.integers(1, 9), st.data())
def test_pass_at_k_is_the_share_of_all_choices_of_k_that_hold_one_that_passed(count, data):
    passed, k = data.draw(st.integers(0, count)), data.draw(st.integers(1, count))
    attempts = [True] * passed + [False] * (count - passed)
    choices = list(combinations(attempts, k))
    assert pass_at(k, count, passed) == pytest.approx(sum(map(any, choices)) / len(choices))


def test_pass_at_more_than_there_are_is_an_error():
    with pytest.raises(ValueError, match="at least 4 attempts"):
        pass_at(4, 3, 1)


@given(st.floats(0, 1), st.integers(1, 500))
def test_the_ends_of_the_interval_are_the_means_that_are_just_not_refused(mean, count):
    low, high = wilson(mean, count)
    assert 0 <= low <= mean + 1e-12
    assert mean - 1e-12 <= high <= 1
    for end in (low, high):
        if 1e-9 < end < 1 - 1e-9:
            assert abs(mean - end) == pytest.approx(Z * sqrt(end * (1 - end) / count), abs=1e-6)


def test_an_interval_that_is_known():
    assert wilson(0.3, 10) == pytest.approx((0.1078, 0.6032), abs=1e-4)


def test_without_values_there_is_no_interval():
    assert wilson(0.5, 0) is None
