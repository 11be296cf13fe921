"""Planted leaks are found, papers on one template are not, and what MinHash proposes holds what there is."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lattice_env.analysis.leakage import check_split, longest_run, proposed_pairs
from lattice_env.analysis.ngrams import N, common, ngram_hashes, ngram_set, share, shared, without
from lattice_env.analysis.texts import Piece, Text
from lattice_env.errors import MissingTool
from lattice_env.keys import Choices

WORDS = [f"{a}{b}{c}" for a in "bdfgklmn" for b in "aeiou" for c in "lmnrst"]


def prose(name, count=400):
    """Words that depend on the name alone, ten to a line."""
    choices = Choices("prose", name)
    return [choices.choice(WORDS) for _ in range(count)]


def text(name, *parts):
    words = [word for part in parts for word in part]
    lines = (" ".join(words[start : start + 10]) for start in range(0, len(words), 10))
    return Text(name, (Piece(f"{name}.tex", 1, "\n".join(lines)),))


PUBLIC = [text(f"public{number}", prose(f"public{number}")) for number in range(5)]


def leaks(*private, public=PUBLIC, **others):
    return [(leak.private, leak.public) for leak in check_split(private, public, **others).leaks]


def test_unrelated_texts_do_not_leak():
    assert leaks(text("mine", prose("mine"))) == []


def test_a_verbatim_copy_leaks_and_is_shown_whole():
    (leak,) = check_split([text("mine", prose("public3"))], PUBLIC).leaks
    assert (leak.private, leak.public, leak.share, leak.whole_share) == ("mine", "public3", 1, 1)
    assert (leak.run.length, leak.run.private_place, leak.run.public_place) == (400, "mine.tex:1", "public3.tex:1")


def test_a_reordered_copy_leaks():
    words = prose("public1")
    passages = [words[start : start + 20] for start in range(0, 400, 20)]
    assert leaks(text("mine", *Choices("order").shuffled(passages))) == [("mine", "public1")]


@pytest.mark.parametrize(("copied", "found"), [(240, True), (220, True), (180, False), (100, False)])
def test_more_than_half_is_a_leak_and_less_is_none(copied, found):
    mine = text("mine", prose("public2")[:copied], prose("mine")[: 400 - copied])
    assert leaks(mine) == [("mine", "public2")] * found


def test_the_smaller_side_decides():
    excerpt = text("excerpt", prose("public0")[150:200])
    book = text("book", prose("mine", 3000), prose("public4"), prose("more", 3000))
    assert leaks(excerpt, book) == [("book", "public4"), ("excerpt", "public0")]


def test_the_longest_shared_run_is_shown_with_both_places():
    mine = text("mine", prose("mine")[:195], prose("public0")[40:100], prose("other")[:45])
    run = longest_run(mine, PUBLIC[0])
    assert run.length == 60
    assert run.text == " ".join(prose("public0")[40:100])
    assert (run.private_place, run.public_place) == ("mine.tex:20", "public0.tex:5")


TEMPLATE = prose("template", 600)
ON_TEMPLATE = [text(f"on{number}", TEMPLATE, prose(f"on{number}", 300)) for number in range(3)]


def test_two_papers_on_one_template_do_not_leak():
    mine = text("mine", TEMPLATE, prose("mine", 300))
    found = check_split([mine], ON_TEMPLATE)
    assert found.leaks == ()
    assert found.template == pytest.approx(597, abs=3)
    assert found.template_shares["mine"] == pytest.approx(597 / 897, abs=0.01)


def test_a_template_of_one_public_paper_is_one_when_it_is_named():
    mine = text("mine", TEMPLATE, prose("mine", 300))
    assert leaks(mine, public=ON_TEMPLATE[:1]) == [("mine", "on0")]
    assert leaks(mine, public=ON_TEMPLATE[:1], templates=[text("template", TEMPLATE)]) == []


def test_a_copy_on_a_common_template_leaks_all_the_same():
    mine = text("mine", TEMPLATE, prose("on2", 300))
    assert leaks(mine, public=ON_TEMPLATE) == [("mine", "on2")]


def test_many_private_copies_do_not_make_a_template_of_what_they_copy():
    assert len(leaks(*(text(f"mine{number}", prose("public0")) for number in range(5)))) == 5


@pytest.mark.parametrize("most_pairs", [0, 250_000])
def test_a_copy_of_what_is_published_three_times_has_nothing_of_its_own_and_leaks(most_pairs):
    public = [text(f"version{number}", prose("paper"), prose(f"v{number}", 20)) for number in range(3)]
    found = check_split([text("mine", prose("paper"))], public, most_pairs=most_pairs)
    assert {(leak.public, leak.share, leak.hollow) for leak in found.leaks} == {
        (f"version{number}", 0, True) for number in range(3)
    }


@pytest.mark.parametrize("most_pairs", [0, 250_000])
def test_short_texts_are_compared_whole(most_pairs):
    public = [text("a", ["x"]), text("b", ["x", "y"]), text("c", [])]
    private = [text("p", ["x"]), text("q", ["y", "x"]), text("r", [])]
    assert leaks(*private, public=public, most_pairs=most_pairs) == [("p", "a")]


def test_what_minhash_proposes_holds_every_leak_of_sixty_pairs_of_all_sizes():
    """At the sizes and shares at which plain MinHash would miss a short text within a long one."""
    private, public = [], []
    for number in range(60):
        copied, times = 0.6 + 0.1 * (number % 5), (1, 3, 8)[number % 3]
        words = prose(f"long{number}", 150 * times)
        excerpt = words[: int(150 * copied)] + prose(f"rest{number}", 150)[int(150 * copied) :]
        sides = (private, public) if number % 2 else (public, private)
        sides[0].append(text(f"t{number}", excerpt))
        sides[1].append(text(f"t{number}", words))
    sets = [[ngram_set(item.words) for item in side] for side in (private, public)]
    found = proposed_pairs(*sets)
    assert {(i, i) for i in range(60)} <= found
    assert len(found) < 600
    assert leaks(*private, public=public, most_pairs=0) == leaks(*private, public=public)


def test_many_pairs_need_datasketch_and_say_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "datasketch", None)
    with pytest.raises(MissingTool, match="datasketch is not installed"):
        check_split(PUBLIC, PUBLIC, most_pairs=0)
    assert len(check_split(PUBLIC, PUBLIC).leaks) == len(PUBLIC)


GRAMS = st.sets(st.integers(0, 40)).map(lambda numbers: np.array(sorted(numbers), dtype=np.uint64))


@given(GRAMS, GRAMS)
def test_arrays_are_sets(a, b):
    ours, theirs = set(a.tolist()), set(b.tolist())
    assert without(a, b).tolist() == sorted(ours - theirs)
    assert shared(a, b) == len(ours & theirs)
    assert share(a, b) == (len(ours & theirs) / min(len(ours), len(theirs)) if ours and theirs else 0)


@given(st.lists(GRAMS, max_size=5), st.integers(1, 4))
def test_common_is_what_so_many_sets_hold(sets, least):
    every = sorted({gram for item in sets for gram in item.tolist()})
    assert common(sets, least).tolist() == [g for g in every if sum(g in item for item in sets) >= least]


@given(st.lists(st.sampled_from(["a", "b", "c"]), max_size=40))
def test_ngrams_are_equal_where_their_words_are(words):
    hashes = ngram_hashes(words).tolist()
    padded = words + [""] * (N - len(words)) if words else []
    grams = [tuple(padded[start : start + N]) for start in range(len(padded) - N + 1)]
    assert len(hashes) == len(grams)
    assert len(set(zip(hashes, grams, strict=True))) == len(set(hashes)) == len(set(grams))


def test_hashes_do_not_depend_on_the_process():
    script = "from lattice_env.analysis.ngrams import ngram_hashes; print(ngram_hashes('a b c d e'.split()).tolist())"
    line = [sys.executable, "-c", script]
    done = subprocess.run(line, env={"PYTHONHASHSEED": "7"}, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(ngram_hashes("a b c d e".split()).tolist())
