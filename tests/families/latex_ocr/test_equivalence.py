"""Each relaxed class prints the same pixels; right answers are accepted, and no wrong one is."""

from __future__ import annotations

import json

import pytest

from lattice_env.errors import DatasetError
from lattice_env.families.latex_ocr.corpus import Formula, make_corpus
from lattice_env.families.latex_ocr.equivalence import compare
from lattice_env.families.latex_ocr.judge import judge
from lattice_env.families.latex_ocr.labels import LABELLED, measure, read_labels
from lattice_env.families.latex_ocr.mathml import parse
from lattice_env.families.latex_ocr.relaxed import RELAXED, RULES, relax
from lattice_env.families.latex_ocr.render import print_pages
from lattice_env.families.latex_ocr.settings import Settings

pytestmark = pytest.mark.openenv
ROWS = read_labels(LABELLED)
RIGHT, WRONG = ([row for row in ROWS if row.right is verdict] for verdict in (True, False))
EQUIVALENCE, TIERED = Settings(reward="equivalence"), Settings(reward="tiered")
TARGET = r"\frac{a+b}{c} = x_{i}^{2}"
ways = pytest.mark.parametrize("way", RELAXED, ids=lambda way: way.name)


# --- the table -----------------------------------------------------------------------------------


@ways
def test_a_relaxed_class_s_example_differs_in_it_alone(way):
    one, other = parse(way.one), parse(way.other)
    assert one != other
    assert relax(one) == relax(other)
    others = [rule for rule in RULES if rule is not way.rule]
    assert relax(one, others) != relax(other, others)


@pytest.mark.tex
def test_every_relaxed_class_s_example_prints_the_same_pixels():
    pages = print_pages([Formula(latex, "test", "cm", 12) for way in RELAXED for latex in (way.one, way.other)])
    assert all(pages)
    pairs = zip(pages[::2], pages[1::2], strict=True)
    assert [way.name for way, (one, other) in zip(RELAXED, pairs, strict=True) if one != other] == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (r"a \left( x \right)", "a(x)"),
        (r"| -x |", r"\lvert -x \rvert"),
        (r"a \, b", "ab"),
        (r"a \mid b", "a|b"),
        (r"\tfrac{a}{b}", r"\frac{a}{b}"),
        (r"{ab}^2", "ab^2"),
        (r"a {+} b", "a + b"),
        (r"\overline{x}", r"\bar{x}"),
    ],
)
def test_what_prints_differently_beside_a_relaxed_class_stays_different(one, other):
    assert not compare(one, other).equal


# --- the labelled set ----------------------------------------------------------------------------


def test_at_least_95_percent_of_the_right_answers_are_accepted_and_none_of_the_wrong():
    assert min(len(RIGHT), len(WRONG)) >= 60
    accepted = [row for row in RIGHT if judge(row.answer, row.target, EQUIVALENCE).reward == 1]
    assert len(accepted) >= 0.95 * len(RIGHT)
    assert [row for row in WRONG if judge(row.answer, row.target, EQUIVALENCE).reward > 0] == []


@pytest.mark.tex
def test_the_labels_are_what_tex_prints():
    """Each answer as it stands between dollars: right ones have the pixels of their target, wrong ones have others."""
    from lattice_env.families.latex_ocr.equivalence import bare

    latex = [bare(text) for row in ROWS for text in (row.answer, row.target)]
    pages = print_pages([Formula(each, "test", "cm", 12) for each in latex])
    same = [one == other for one, other in zip(pages[::2], pages[1::2], strict=True)]
    assert [row.answer for row, found in zip(ROWS, same, strict=True) if found != row.right] == []


def test_the_seed_s_reward_hardly_tells_right_from_wrong_and_equality_does():
    means = {(row["reward"], row["answers"]): row["mean"] for row in measure(ROWS)}
    assert means["characters", "right"] - means["characters", "wrong"] < 0.3
    assert means["equivalence", "right"] - means["equivalence", "wrong"] > 0.95


def test_a_line_that_is_no_label_is_named(tmp_path):
    (tmp_path / "labels").write_text('{"answer": "x"}\n', "utf-8")
    with pytest.raises(DatasetError, match=r"labels:1: not an object"):
        read_labels(tmp_path / "labels")


# --- what pays -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "cheat",
    [
        TARGET + r"\phantom{x}",
        TARGET + r"{\color{white} x}",
        TARGET + " % and an essay in a comment that prints nothing",
        "{}" * 5 + TARGET,
        r"\def\a{x}" + TARGET.replace("x", r"\a"),
        r"\newcommand{\a}{x}" + TARGET.replace("x", r"\a"),
        TARGET + r"\relax" * 6,
        TARGET + " " + TARGET,
        r"\frac{",
        r"\undefined " + TARGET,
    ],
)
def test_e5_what_prints_nothing_or_defines_is_not_equal(cheat):
    assert judge(cheat, TARGET, EQUIVALENCE).reward == 0


@pytest.mark.parametrize("honest", ["{a+b \\over c} = x^2_i", f"$${TARGET}$$", "{}" + TARGET, rf"\[{TARGET}\]"])
def test_e5_twin_an_honest_spelling_is_equal(honest):
    assert judge(honest, TARGET, EQUIVALENCE).reward == 1


@pytest.mark.parametrize("answer", [r"\sqrt{" * 5000, "{" * 9000, r"\frac" * 4000, "x" * 900_000, "\0", "&lt;<mi>"])
def test_e6_a_hostile_answer_is_judged(answer):
    assert judge(answer, TARGET, EQUIVALENCE).reward == 0


def test_a_target_that_does_not_parse_is_paid_by_its_characters_and_it_is_told():
    told = judge("x", r"x \hbox to 2em{y}", EQUIVALENCE)
    assert told.paid_by == "characters"
    assert told.reward == told.characters.reward
    assert told.metadata()["equivalence"]["parsed"] == "answer"


def test_an_answer_that_does_not_parse_earns_less_than_one_that_is_wrong_could():
    assert judge(TARGET[:-1], TARGET, EQUIVALENCE).reward == 0


def test_a_tiered_reward_ranks_equal_over_structure_over_characters():
    answers = (r"{a+b \over c} = x_i^2", r"\frac{a+d}{c} = x_{i}^{2}", r"a+b/c = x_{i}^{2}", "q")
    rewards = [judge(answer, TARGET, TIERED).reward for answer in answers]
    assert rewards == sorted(rewards, reverse=True)
    assert rewards[0] == 1
    assert 0.6 > rewards[1] > rewards[2] > rewards[3]


def test_all_parts_are_told_whichever_pays():
    parts = [judge(TARGET, TARGET, settings).metadata() for settings in (Settings(), EQUIVALENCE, TIERED)]
    assert len({json.dumps({**part, "paid_by": ""}, sort_keys=True) for part in parts}) == 1
    assert [part["paid_by"] for part in parts] == ["characters", "equivalence", "tiered"]


def test_most_of_the_corpus_can_be_compared():
    corpus = make_corpus(200)
    parsed = sum(compare(formula.latex, formula.latex).equal for formula in corpus)
    assert parsed >= 0.95 * len(corpus)
