"""Comments and dead text go, whatever a passage cuts; what is printed stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lattice_env.analysis.preferences.sources import live_text


@pytest.mark.parametrize(
    ("text", "live"),
    [
        ("a % secret\nb", "a \nb"),
        ("a% secret\nb", "a%\nb"),
        ("a\n  % secret\nb", "a\nb"),
        ("a\r\n% secret\r\nb\r\n", "a\r\nb\r\n"),
        ("50\\% of % secret\n", "50\\% of \n"),
        ("\\verb|%x| \\url{a%b}% secret", "\\verb|%x| \\url{a%b}%"),
        ("a\\iffalse secret\\fi b", "a\\iffalse\\fi b"),
        ("\\begin{comment}secret\\end{comment}", "\\begin{comment}\\end{comment}"),
        ("\\end{document} secret", "\\end{document}"),
    ],
)
def test_what_is_left_of_a_source(text, live):
    assert live_text(text) == live


def test_a_passage_that_begins_inside_a_comment_is_known_for_what_it_is():
    text = "a % old secret draft\nb"
    assert live_text(text, text.index("secret")) == "\nb"


@given(st.text(alphabet="ab%\\ \n{}", max_size=40), st.integers(0, 40))
def test_two_parts_are_the_whole(text, cut):
    assert live_text(text, 0, min(cut, len(text))) + live_text(text, min(cut, len(text))) == live_text(text)
