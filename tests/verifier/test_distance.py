"""The distances are those of the textbook's tables, and an alignment rebuilds one side from the other."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lattice_env.verifier import distance
from lattice_env.verifier.distance import (
    align,
    common_ends,
    edit_distance,
    few_edits,
    lcs_length,
    many_edits,
)

WORDS = st.lists(st.sampled_from("abcd"), max_size=24)


def naive_table(a, b):
    """The edit distance, a cell at a time."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        above, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            above, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, above + (x != y))
    return row[-1]


def naive_subsequence(a, b):
    row = [0] * (len(b) + 1)
    for x in a:
        above = 0
        for j, y in enumerate(b, 1):
            above, row[j] = row[j], above + 1 if x == y else max(row[j], row[j - 1])
    return row[-1]


def rebuilt(a, b):
    """What the steps of an alignment make: `a` where they say equal, `b` where they say anything else."""
    out = []
    for tag, i, j, k, m in align(a, b):
        out += a[i:j] if tag == "equal" else b[k:m]
    return out


@given(WORDS, WORDS)
def test_edit_distance_is_the_naive_table_s(a, b):
    assert edit_distance(a, b) == naive_table(a, b)


@given(st.text("abc \n", max_size=60), st.data())
def test_a_transcription_with_scattered_errors_is_as_far_as_its_naive_table_says(a, data):
    errors = data.draw(st.lists(st.tuples(st.integers(0, 60), st.sampled_from(["", "a", "bc", "é"])), max_size=8))
    b = a
    for place, sign in errors:
        b = b[:place] + sign + b[place + 1 :]
    assert edit_distance(a, b) == edit_distance(list(b), list(a)) == naive_table(a, b)


@given(WORDS.filter(bool), WORDS.filter(bool))
def test_both_ways_to_count_edits_agree(a, b):
    a, b = sorted((["start", *a], ["begin", *b]), key=len, reverse=True)
    many = many_edits(a, b, len(a))
    assert many == naive_table(a, b)
    edits, sure = few_edits(a, b, len(a))
    assert edits == many or not sure
    assert not few_edits(a, b, many - 1)[1]


@given(WORDS.filter(bool), WORDS.filter(bool), st.integers(0, 30), st.integers(1, 9))
def test_a_band_finds_each_distance_within_it_and_no_path_that_is_none(a, b, band, stride):
    a, b = sorted((a, b), key=len, reverse=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(distance, "STRIDE", stride)
        found, true = many_edits(a, b, band), naive_table(a, b)
    assert found == true or found > true > band


def test_many_errors_in_a_long_text_are_counted_in_a_band(monkeypatch):
    bands = []
    monkeypatch.setattr(distance, "many_edits", lambda a, b, band: bands.append(band) or many_edits(a, b, band))
    text = "".join(chr(97 + number * number % 23) for number in range(5000))
    wrong = "".join("Q" if number % 20 == 7 else sign for number, sign in enumerate(text))
    assert edit_distance(text, wrong) == 250
    assert len(bands) == 1
    assert bands[0] < 1000


def test_a_guess_that_is_too_low_is_made_good(monkeypatch):
    monkeypatch.setattr(distance, "few_edits", lambda *_: (1, False))
    assert edit_distance("kitten and more", "sitting and less") == naive_table("kitten and more", "sitting and less")


def test_a_few_errors_in_a_long_text_are_counted_along_the_diagonals(monkeypatch):
    monkeypatch.delattr(distance, "many_edits")
    text = "".join(chr(97 + number * number % 23) for number in range(5000))
    wrong = text[:700] + "QQ" + text[700:2500] + text[2501:4000] + "Q" + text[4001:]
    assert edit_distance(text, wrong) == 4


@given(WORDS, WORDS)
def test_lcs_length_is_the_naive_table_s(a, b):
    assert lcs_length(a, b) == naive_subsequence(a, b)


@given(WORDS, WORDS)
def test_an_alignment_rebuilds_b_from_a(a, b):
    assert rebuilt(a, b) == b


@given(WORDS, WORDS)
def test_the_steps_of_an_alignment_cover_both_sides_without_a_gap(a, b):
    steps = align(a, b)
    for before, after in itertools.pairwise(steps):
        assert (before[2], before[4]) == (after[1], after[3])
    assert not steps or (steps[0][1], steps[0][3], steps[-1][2], steps[-1][4]) == (0, 0, len(a), len(b))


def test_a_stretch_too_long_to_align_is_one_step_between_the_common_ends(monkeypatch):
    monkeypatch.setattr(distance, "FINE", 3)
    assert align(list("hxyt"), list("hyzt")) == [
        ("equal", 0, 1, 0, 1),
        ("replace", 1, 3, 1, 3),
        ("equal", 3, 4, 3, 4),
    ]


@given(WORDS, WORDS)
def test_common_ends_are_as_long_as_they_can_be(a, b):
    head, tail = common_ends(a, b)
    left, right = a[head : len(a) - tail], b[head : len(b) - tail]
    assert a[:head] == b[:head]
    assert a[len(a) - tail :] == b[len(b) - tail :]
    assert not left or not right or (left[0] != right[0] and left[-1] != right[-1])


def test_common_ends_never_overlap():
    assert common_ends("aaa", "aa") == (2, 0)
    assert common_ends("abxcd", "abycd") == (2, 2)


def test_papers_of_5000_words_have_exact_distances():
    words = [str(number) for number in range(5000)]
    assert edit_distance(words, words[::-1]) == 5000
    assert lcs_length(words, words[::-1]) == 1
    assert edit_distance(["new", *words[:-1]], words) == 2


def test_nothing_is_as_far_from_a_text_as_the_text_is_long():
    assert edit_distance([], ["a", "b"]) == edit_distance(["a", "b"], []) == 2
    assert lcs_length([], ["a"]) == 0
