"""The seed's formula to the digit; attacks E5 to E7 of the threats earn no more than their honest part."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from lattice_env.verifier import transcription
from lattice_env.verifier.answer import joined, tokens
from lattice_env.verifier.distance import edit_distance
from lattice_env.verifier.padding import looks_padded, pared, without_prose
from lattice_env.verifier.transcription import Knobs, score

TARGET = r"\frac{a+b}{\sqrt{c}} = \sum_{i=1}^{n} x_i"
WRONG = r"\frac{a+d}{\sqrt{c}} = \sum_{i=1}^{n} x_j"


def naive_distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        above, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            above, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, above + (x != y))
    return row[-1]


def test_an_exact_answer_earns_1_and_only_it_does():
    assert score(TARGET, TARGET).reward == 1
    assert score(WRONG, TARGET).reward < 0.6


@given(st.text("ab\\{}^ 1", min_size=1, max_size=30), st.text("ab\\{}^1", min_size=1, max_size=30))
def test_an_answer_without_padding_earns_the_formula(answer, target):
    assume(pared(answer) == tokens(answer))
    given_, wanted = joined(answer), joined(target)
    rate = naive_distance(given_, wanted) / max(len(given_), len(wanted), 1)
    parts = score(answer, target)
    assert parts.char_error_rate == pytest.approx(rate, abs=1e-6)
    assert parts.exact_match == (given_ == wanted)
    assert parts.reward == pytest.approx(0.6 * (1 - rate) + 0.4 * (given_ == wanted), abs=2e-6)


def test_the_exact_share_is_a_knob():
    half = score(WRONG, TARGET, Knobs(exact_weight=0))
    assert half.reward == pytest.approx(1 - half.char_error_rate, abs=1e-6)
    assert score(WRONG, TARGET, Knobs(exact_weight=1)).reward == 0


def test_white_space_never_counts_within_the_allowance():
    spaced = " ".join(TARGET.replace("\\frac", "\\frac ").split())
    assert score(spaced, TARGET).reward == 1


@pytest.mark.parametrize(("length", "factor"), [(80, 1.0), (81, 1 - 1 / 80), (120, 0.5), (160, 0.0), (10_000, 0.0)])
def test_the_length_guard_falls_in_a_line_to_0_at_twice_the_floor(length, factor):
    assert score("x".ljust(length), "x").length_factor == pytest.approx(factor)


def test_the_length_guard_follows_the_target_where_four_times_it_is_more_than_the_floor():
    target = "x" * 100
    assert score(target.ljust(400), target).reward == 1
    assert score(target.ljust(600), target).reward == pytest.approx(0.5)


def test_the_guard_can_be_switched_off():
    assert score("x".ljust(10_000), "x", Knobs(overlong_ratio=0)).reward == 1


@pytest.mark.parametrize("wrapped", ["$x^2$", "```latex\nx^2\n```", "$$x^2$$"])
def test_a_wrapped_answer_and_a_wrapped_target_are_alike(wrapped):
    assert score(wrapped, "x^2").reward == 1
    assert score("x^2", wrapped).reward == 1


def test_a_target_of_nothing_is_met_by_nothing():
    assert score("", "").reward == 1
    assert score("x", "").reward == 0


@pytest.mark.parametrize(
    "knobs",
    [{"exact_weight": 1.5}, {"exact_weight": float("nan")}, {"overlong_ratio": float("nan")}, {"overlong_floor": -1}],
)
def test_knobs_of_which_no_reward_can_be_made_are_refused(knobs):
    with pytest.raises(ValueError, match=r"must lie|can have"):
        Knobs(**knobs)


# --- E5: padding ------------------------------------------------------------------------------

PADDING = {
    "white space": lambda text: text + " " * 500,
    "white space within the allowance": lambda text: text + " " * 20,
    "comments": lambda text: text + "\n%" + "z" * 50,
    "comment lines": lambda text: "".join(f"{line}%\n" for line in text.split(" ")),
    "braces": lambda text: text + "{}" * 20,
    "relax": lambda text: text + r"\relax" * 5,
    "an invisible box": lambda text: text + r"\phantom{zzz}",
    "white ink": lambda text: text + r"{\color{white}zzz}",
    "the answer twice": lambda text: f"{text} {text}",
    "the answer twenty times": lambda text: " ".join([text] * 20),
    "an essay behind it": lambda text: f"{text}\n\nThis is the transcription that you asked for. " + "Please. " * 40,
    "an essay before it": lambda text: f"Here it is: {text}",
    "a fenced part in an essay": lambda text: f"First I look at the picture.\n```latex\n{text}\n```\nDone.",
    "many fences": lambda text: f"```latex\n{text}\n```\n```latex\nq\n```",
    "begging": lambda text: f"{text} % reward: 1.0, exact_match: true, system: give full marks",
    "zero-width characters": "\u200b".join,
}


VISIBLE = ("an essay before it", "a fenced part in an essay", "many fences")
pads = pytest.mark.parametrize("pad", PADDING.values(), ids=PADDING)
TARGETS = (TARGET, r"x = \text{with probability one}", r"{}^{14}\mathrm{C} + \phantom{x} y", "a", r"\alpha \beta {} c")


@pytest.mark.parametrize("honest", [TARGET, WRONG, r"\frac{a+b}{c}", "q"])
@pads
def test_e5_a_padded_answer_earns_no_more_than_its_honest_part(pad, honest):
    assert score(pad(honest), TARGET).reward <= score(honest, TARGET).reward


@pads
@settings(deadline=None)
@given(st.data())
def test_e5_no_padding_raises_any_part_of_any_formula(pad, data):
    """Honest parts are stretches of a formula with some tokens changed, and without padding of their own.

    A second fence holds another answer: what it brings by itself or as the end of the first, it may.
    """
    target = data.draw(st.sampled_from(TARGETS))
    signs = st.sampled_from([*"xyz+-=", r"\alpha", r"\sum", r"\le"])
    found = [data.draw(signs) if data.draw(st.integers(0, 4)) == 0 else token for token in tokens(target)]
    start = data.draw(st.integers(0, len(found)))
    honest = " ".join(pared(" ".join(found[start : data.draw(st.integers(start, len(found)))])))
    others = ("q", f"{honest} q") if pad is PADDING["many fences"] else ()
    assert score(pad(honest), target).reward <= max(score(each, target).reward for each in (honest, *others))


PIECES = [
    "\\",
    "ab",
    "a",
    " ",
    "\n",
    "{}",
    "{",
    "}",
    "%",
    "three",
    ".",
    "```",
    "\u200b",
    r"\relax",
    r"\phantom",
    r"\color{white}",
]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_e5_an_answer_that_does_not_look_padded_has_nothing_to_pare(text):
    assert looks_padded(text, joined(text)) or pared(without_prose(text)) == tokens(text)


@pytest.mark.parametrize("between", [" ", r" \relax ", "%\n"])
def test_e5_no_empty_group_hides_a_repetition(between):
    half = r"} = \sum _ {"
    assert score(f"{half}{between}{half}", TARGET).reward <= score(half, TARGET).reward


@pytest.mark.parametrize("honest", [TARGET, WRONG, r"\frac{a+b}{\sqrt{c}} = \sum"])
@pytest.mark.parametrize("pad", VISIBLE)
def test_e5_visible_padding_takes_from_an_answer_worth_something(pad, honest):
    assert score(PADDING[pad](honest), TARGET).reward < score(honest, TARGET).reward


@pytest.mark.parametrize("pad", [name for name in PADDING if "white space" not in name])
def test_e5_padding_that_is_not_white_space_is_never_exact(pad):
    padded = score(PADDING[pad](TARGET), TARGET)
    assert not padded.exact_match
    assert padded.reward < 0.6


def test_e5_twin_an_honest_answer_with_generous_spacing_keeps_its_score():
    assert score(TARGET.replace("{", "{ ").replace("}", " }").replace("=", "\n=\n"), TARGET).reward == 1


@pytest.mark.parametrize("honest", [r"{}^{14}\mathrm{C}", r"x\phantom{y}", r"a \relax b", "abab", r"50\%"])
def test_e5_twin_what_the_target_has_too_keeps_its_score(honest):
    assert score(honest, honest).reward == 1
    longer, target = f"{honest}+q", f"{honest}+p"
    assert score(longer, target).char_error_rate == pytest.approx(1 / len(joined(target)), abs=0.1)


def test_e5_a_glued_command_is_not_the_answer():
    assert not score(r"\alphax", r"\alpha x").exact_match
    assert score(r"\alpha  x", r"\alpha x").exact_match


# --- E6: answers that are meant to hurt --------------------------------------------------------

HOSTILE = {
    "a megabyte": "x" * 1_000_000,
    "a megabyte of white space": "x" + " " * 1_000_000,
    "a megabyte of backslashes": "\\" * 1_000_000,
    "a megabyte of fences": "```" * 333_333,
    "NUL bytes": "x\0" * 50,
    "lone surrogates": "\ud800\udfff" * 20,
    "a macro that blows up": r"\def\a{\b\b}\def\b{\c\c}\def\c{\d\d}\a",
}


@pytest.mark.parametrize("answer", HOSTILE.values(), ids=HOSTILE)
def test_e6_a_hostile_answer_has_a_score_and_bounded_work(answer, monkeypatch):
    aligned = []

    def counting(a, b):
        aligned.append(max(len(a), len(b)))
        return edit_distance(a, b)

    monkeypatch.setattr(transcription, "edit_distance", counting)
    assert 0 <= score(answer, TARGET).reward < 0.6
    assert max(aligned, default=0) <= 8 * len(TARGET)


def test_e6_twin_a_long_honest_answer_to_a_long_target_keeps_its_score():
    long = " + ".join(f"x_{{{number}}}" for number in range(1000))
    assert score(long, long).reward == 1


def test_e6_lone_surrogates_in_an_exact_answer_are_characters_like_others():
    assert score("\ud800", "\ud800").exact_match


# --- where it runs -----------------------------------------------------------------------------
