"""Wrapping comes off only where it is around the whole answer; tokens are joined, not glued."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lattice_env.verifier.answer import join, joined, tokens, unwrap

LATEX = st.text(alphabet="\\ab{}$ \n^_&%1", max_size=40)


@pytest.mark.parametrize(
    "wrapped",
    [
        "x^2",
        "  x^2\n",
        "$x^2$",
        "$$ x^2 $$",
        "```latex\nx^2\n```",
        "```\nx^2\n```",
        "```x^2```",
        "```tex x^2```",
        "```latex\n$x^2$\n```",
        "```math\r\nx^2\r\n```",
    ],
)
def test_wrapping_around_the_whole_answer_comes_off(wrapped):
    assert unwrap(wrapped) == "x^2"


@pytest.mark.parametrize(
    "kept",
    [
        "The answer is ```x^2```",
        "```x```, or ```y```",
        "$a$ and $b$",
        r"5\$",
        r"$5\$",
        "$",
        "$$",
        "``````",
        "$x^2",
        "x^2$",
        r"\(x\)",
    ],
)
def test_what_wraps_only_a_part_or_nothing_stays(kept):
    assert unwrap(kept) == kept


def test_dollars_in_braces_are_the_answer_s_own():
    assert unwrap(r"$\text{if $x$ is even}$") == r"\text{if $x$ is even}"


def test_an_escaped_dollar_at_the_end_is_no_delimiter():
    assert unwrap(r"$x = 5\$$") == r"x = 5\$"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (r"\alpha x", r"\alpha x"),
        ("\\alpha  \n x", r"\alpha x"),
        (r"\alphax", r"\alphax"),
        (r"\alpha + x", r"\alpha+x"),
        (r"\alpha 2", r"\alpha2"),
        (r"a \, b", r"a\,b"),
        ("a\\\tb", "a\\ b"),
        (r"\\ x", r"\\x"),
        ("x ^ { 2 }", "x^{2}"),
        ("\\", "\\"),
        ("", ""),
    ],
)
def test_tokens_are_joined_and_not_glued(text, wanted):
    assert joined(text) == wanted


@given(LATEX)
def test_joining_keeps_every_token(text):
    assert tokens(joined(text)) == tokens(text)


@given(LATEX)
def test_what_is_joined_stays_as_it_is(text):
    assert joined(joined(text)) == joined(text)


@pytest.mark.parametrize("text", ["```" + " " * 10**6, "$" + "\\" * 10**6, "{" * 10**6, "``` \n" * 200_000])
def test_a_megabyte_is_unwrapped(text):
    assert len(unwrap(text)) <= len(text)


@given(st.text(alphabet="\\ab{é \n\t\u2003", max_size=40))
def test_joined_is_the_tokens_joined_one_by_one(text):
    assert joined(text) == join(tokens(text))
