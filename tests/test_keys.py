"""Randomness by name: pinned for ever, keyed by every word, and fair."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lattice_env.keys import Choices

PINNED = {
    (): ([88, 61, 80, 36, 44, 31, 32, 24], [2, 0, 4, 1, 3]),
    ("public",): ([18, 5, 47, 95, 32, 63, 16, 3], [0, 4, 2, 1, 3]),
    ("sites", "public", "TEX-CMD-TRP"): ([94, 60, 6, 13, 73, 70, 21, 65], [2, 1, 3, 0, 4]),
    ("ab", "c"): ([1, 9, 54, 68, 45, 9, 98, 66], [2, 0, 3, 4, 1]),
    ("a", "bc"): ([43, 86, 80, 71, 93, 41, 8, 5], [0, 4, 1, 2, 3]),
    ("é", "\udc80"): ([13, 77, 70, 16, 91, 94, 26, 36], [2, 0, 4, 1, 3]),
}
"""Words → eight numbers below 100, and an order of five things. A change here changes every task ever made."""

WORDS = st.lists(st.text(max_size=8), max_size=4)


def numbers(words, count=8, bound=100):
    choices = Choices(*words)
    return [choices.below(bound) for _ in range(count)]


@pytest.mark.parametrize("words", PINNED, ids=ascii)
def test_choices_are_the_same_in_every_release(words):
    assert (numbers(words), Choices(*words).shuffled(range(5))) == PINNED[words]


@given(WORDS)
def test_the_same_words_give_the_same_choices(words):
    assert numbers(words) == numbers(words)


@given(WORDS, WORDS)
def test_other_words_give_other_choices(words, others):
    assert (words == others) == (numbers(words, bound=1 << 60) == numbers(others, bound=1 << 60))


@pytest.mark.parametrize(
    ("words", "others"),
    [
        (("ab", "c"), ("a", "bc")),
        (("ab",), ("a", "b")),
        (("a",), ("a", "")),
        (("", "a"), ("a", "")),
        (("1:a",), ("a",)),
        (("a1:b",), ("a", "b")),
    ],
)
def test_where_one_word_ends_and_the_next_begins_matters(words, others):
    assert numbers(words) != numbers(others)


@pytest.mark.parametrize(
    "word", ["Überfall", "\U0001f9a6", "\udc80", "\0", "x" * 10_240], ids=lambda word: ascii(word)[:16]
)
def test_every_word_that_a_command_line_can_hold_is_a_key(word):
    assert numbers((word,)) == numbers((word,))
    assert numbers((word,)) != numbers((word + "x",))


@given(st.lists(st.integers(), max_size=40), st.text(max_size=8))
def test_shuffling_keeps_every_item_and_leaves_its_argument_alone(items, word):
    before = list(items)
    assert sorted(Choices(word).shuffled(items)) == sorted(items)
    assert items == before


def test_every_order_of_three_things_is_as_likely_as_the_others():
    orders = Counter(tuple(Choices("order", str(n)).shuffled("abc")) for n in range(6000))
    assert len(orders) == 6
    assert all(850 < count < 1150 for count in orders.values())


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 10, 64, 100])
def test_every_number_below_a_bound_is_as_likely_as_the_others(bound):
    draws = 3000 * bound if bound < 10 else 600 * bound
    found = Counter(numbers(("fair",), draws, bound))
    assert sorted(found) == list(range(bound))
    expected = draws / bound
    squares = sum((count - expected) ** 2 for count in found.values()) / expected
    assert squares < bound + 5 * (2 * bound) ** 0.5


@pytest.mark.parametrize("bound", [(1 << 63) + 1, (1 << 64) - 1, 1 << 64])
def test_a_bound_near_the_size_of_a_block_is_kept(bound):
    assert all(0 <= number < bound for number in numbers(("large",), 50, bound))


@pytest.mark.parametrize("bound", [0, -1])
def test_a_choice_among_nothing_is_an_error(bound):
    with pytest.raises(ValueError, match="cannot choose below"):
        Choices("a").below(bound)


def test_one_of_no_items_is_an_error():
    with pytest.raises(ValueError, match="cannot choose below"):
        Choices("a").choice([])


def test_a_choice_is_one_of_the_items():
    assert {Choices("pick", str(n)).choice("abc") for n in range(60)} == set("abc")
