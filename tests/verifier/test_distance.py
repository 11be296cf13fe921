"""The distances are those of the textbook's tables, and an alignment rebuilds one side from the other."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from lattice_env.verifier import distance
from lattice_env.verifier.distance import align, common_ends, edit_distance, lcs_length

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
