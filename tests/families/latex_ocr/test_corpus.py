"""The corpus is a function of its arguments; splits share no normal form; every formula prints."""

from __future__ import annotations

import json
import re
import zipfile

import pytest

from lattice_env.families.latex_ocr.corpus import TEST, TRAIN, Formula, make_corpus
from lattice_env.families.latex_ocr.grammar import make_formula
from lattice_env.families.latex_ocr.normal import normal_form, share
from lattice_env.families.latex_ocr.papers import Command, displayed_formulas, write_out
from lattice_env.families.latex_ocr.png import grey_png, is_whole_png
from lattice_env.families.latex_ocr.render import print_pages, render
from lattice_env.families.latex_ocr.source import SHIPPED
from lattice_env.seeds import load_seeds

CORPUS = make_corpus(600)


def test_the_same_arguments_make_the_same_corpus_and_a_larger_one_begins_with_it():
    assert make_corpus(300) == CORPUS[:300]


def test_another_seed_makes_other_formulas_of_the_grammar():
    other = {formula.latex for formula in make_corpus(300, 1) if formula.origin == "grammar"}
    assert not other & {formula.latex for formula in CORPUS if formula.origin == "grammar"}


def test_neighbouring_seeds_share_no_formulas_by_index():
    assert {make_formula(1, index) for index in range(100)}.isdisjoint(make_formula(2, index) for index in range(100))


def test_no_two_formulas_and_so_no_two_splits_share_a_normal_form():
    assert len({normal_form(formula.latex) for formula in CORPUS}) == len(CORPUS)
    shares = {split: sum(formula.split == split for formula in CORPUS) for split in (TRAIN, TEST)}
    assert 0.1 < shares[TEST] / len(CORPUS) < 0.3


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (r"x^{2}", "x^2"),
        (r"a \le b", r"a\leq b"),
        (r"\left( x \right)", "(x)"),
        (r"a \, b", "a b"),
        (r"\dfrac{a}{b}", r"\frac ab"),
        ("x % see", "x"),
    ],
)
def test_formulas_that_differ_in_spelling_belong_to_one_split(one, other):
    assert normal_form(one) == normal_form(other)
    assert share(one) == share(other)


@pytest.mark.parametrize(("one", "other"), [("x^2", "x_2"), ("x^{12}", "x^12"), (r"\alpha", "a"), ("ab", "ba")])
def test_formulas_that_print_differently_have_normal_forms_of_their_own(one, other):
    assert normal_form(one) != normal_form(other)


def test_the_grammar_uses_the_constructs_of_real_papers():
    text = " ".join(formula.latex for formula in CORPUS)
    wanted = r"\frac \sqrt \sum \int \lim pmatrix cases aligned \hat \operatorname \text \left \mathbf \binom"
    assert all(word in text for word in wanted.split())


def test_every_seed_paper_gives_its_displayed_formulas():
    found = {seed.name: list(displayed_formulas(seed)) for seed in load_seeds()}
    assert all(found.values())
    assert sum(map(len, found.values())) >= 75
    assert not any(re.search(r"\\(label|nonumber|notag)\b", latex) for each in found.values() for latex in each)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (r"\norm{u - v}_A", r"{\left\lVert u - v \right\rVert}_A"),
        (r"\best = 1", r"T^{\ast} = 1"),
        (r"x_\best", r"x_{T^{\ast}}"),
        (r"\norm{\norm{x}}", r"\left\lVert \left\lVert x \right\rVert \right\rVert"),
        (r"\al x", r"\alpha x"),
        (r"\bestx", r"\bestx"),
    ],
)
def test_a_paper_s_own_commands_are_written_out(text, wanted):
    commands = {"norm": Command(1, r"\left\lVert #1 \right\rVert"), "best": Command(0, r"T^{\ast}")}
    assert write_out(text, {**commands, "al": Command(0, r"\alpha")}) == wanted


@pytest.mark.tex
def test_formulas_print_and_one_that_does_not_costs_only_itself():
    good = CORPUS[:3] + CORPUS[-3:]
    bad = Formula(r"\frac{", "test", "cm", 10)
    pages = render([*good, bad])
    assert pages[-1] is None
    assert all(page is not None and is_whole_png(page) for page in pages[:-1])
    assert len(set(pages)) == len(pages)


@pytest.mark.tex
def test_the_shipped_pictures_are_those_of_the_shipped_formulas():
    """A sample is printed anew: TeX and poppler draw the same inks, give or take a version's greys."""
    with zipfile.ZipFile(SHIPPED) as archive:
        labels = [json.loads(line) for line in archive.read("test/labels.jsonl").splitlines()][-4:]
        shipped = [archive.read(f"test/{label['image']}") for label in labels]
    formulas = [Formula(label["text"], label["origin"], label["font"], label["size"]) for label in labels]
    assert [page and grey_png(page)[16:24] for page in print_pages(formulas)] == [data[16:24] for data in shipped]


def test_the_shipped_corpus_is_what_build_data_makes():
    corpus = make_corpus(400)
    with zipfile.ZipFile(SHIPPED) as archive:
        for split in (TRAIN, TEST):
            texts = [json.loads(line)["text"] for line in archive.read(f"{split}/labels.jsonl").splitlines()]
            assert texts == [formula.latex for formula in corpus if formula.split == split]
    assert SHIPPED.stat().st_size < 1_000_000
