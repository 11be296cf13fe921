"""The grade is the formula of the contract."""

import math

import pytest

from lattice_env.verifier.facts import Outcome
from lattice_env.verifier.grade import grade

WORDS = "a b c d e f g h i j"
ORIGINAL = Outcome("", pdf_digest="1", pages=2, text=WORDS)


def graded(text=WORDS, *, digest="2", pages=2, edit_size=1, reference_size=1):
    submitted = Outcome("", pdf_digest=digest, pages=pages, text=text)
    return grade(submitted, ORIGINAL, edit_size=edit_size, reference_size=reference_size)


def test_an_identical_pdf_is_worth_1_whatever_the_edit():
    whole = dict.fromkeys(("reward", "pdfIdentical", "restoration", "similarity", "pagesMatch"), 1.0)
    assert graded(digest="1", edit_size=50) == {**whole, "editTerm": pytest.approx(math.sqrt(1 / 50))}


def test_the_same_text_in_another_pdf_is_worth_9_tenths():
    assert graded()["reward"] == 0.9


def test_four_words_that_differ_halve_the_grade():
    parts = graded("w x y z e f g h i j")
    assert (parts["restoration"], parts["reward"]) == (0.5, 0.45)
    assert parts["similarity"] == pytest.approx(0.6)


def test_an_edit_twice_as_large_costs_a_factor_of_the_root_of_2():
    parts = graded(edit_size=6, reference_size=3)
    assert parts["editTerm"] == pytest.approx(1 / math.sqrt(2))
    assert parts["reward"] == pytest.approx(0.9 / math.sqrt(2))


def test_an_edit_smaller_than_the_reference_earns_no_more():
    assert graded(edit_size=1, reference_size=3)["editTerm"] == 1.0
    assert graded(edit_size=0)["editTerm"] == 1.0


def test_case_and_spaces_do_not_count():
    assert graded("A  B\nC D E F G H I\fJ")["restoration"] == 1.0


def test_another_number_of_pages_is_told_and_costs_nothing():
    parts = graded(pages=3)
    assert (parts["pagesMatch"], parts["reward"]) == (0.0, 0.9)


def test_two_empty_texts_are_alike():
    empty = Outcome("", pdf_digest="1"), Outcome("", pdf_digest="2")
    assert grade(*empty, edit_size=1, reference_size=1)["similarity"] == 1.0


def test_every_part_is_a_finite_number_and_a_far_text_is_worth_nearly_nothing():
    parts = graded("x " * 5000)
    assert all(type(value) is float and math.isfinite(value) for value in parts.values())
    assert parts["reward"] < 1e-9
