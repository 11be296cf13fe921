"""What must not leave the machine is replaced in every spelling; its honest neighbours stay."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lattice_env.analysis.preferences.names import printed_names
from lattice_env.analysis.preferences.project import Person
from lattice_env.analysis.preferences.scrub import make_scrubber, merged

PEOPLE = (
    Person("ada42", "Ada Lovelace", ("A. Lovelace",), "ada.l@ex.org", 1),
    Person("kg", "Kurt Gödel", (), "", 1),
    Person("sl", "Søren Łukasz", (), "", 1),
)
SCRUBBER = make_scrubber(PEOPLE, {"Grace Hopper"}, ["main.tex", "sections/intro.tex"])

GONE = [
    "Ada Lovelace",
    "ADA LOVELACE",
    "Ada~Lovelace",
    "Lovelace, Ada",
    "A.~Lovelace",
    "ada42",
    "Gödel",
    "Go\u0308del",
    'G\\"odel',
    'G{\\"o}del',
    'G\\"{o}del',
    "Goedel",
    "S{\\o}ren",
    "{\\L}ukasz",
    "Grace Hopper",
    "ada.l@ex.org",
    "ada\\_b@ex.org",
    "{ada,kurt}@ex.org",
    "ada (at) ex (dot) org",
    "https://ex.org/a?b=c#d",
    "www.ex.org",
    "github.com/ada/secret-draft",
    "http://a.b/c\\_d",
    "/home/ada/thesis",
    "C:\\Users\\Ada\\thesis",
    "0000-0002-1825-0097",
    "AKIAIOSFODNN7EXAMPLE",
    "ghp_1234567890abcdefghij1234567890abcdef",
    "8f14e45fceea167a5a36dedd4bea2543",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----",
    "sections/intro.tex",
]


@pytest.mark.parametrize("text", GONE)
def test_it_is_replaced(text):
    before, scrubbed, after = SCRUBBER.scrub("See ", text, " there.")
    assert (before, after) == ("See ", " there.")
    assert scrubbed.startswith("[")
    assert scrubbed.endswith("]")


@pytest.mark.parametrize(
    "text",
    [
        "The main idea of adaptive methods.",
        "A long road, a good deal, in 3.5/2 of all cases.",
        "See Fig.~\\ref{fig:alongname2024experiments} and 10.1145/3149.214121.",
        "50\\% of $x_{ada}$... e.g. this.",
        "\\footnote{Ratio a/b at 5 o'clock.}",
    ],
)
def test_plain_text_stays(text):
    assert SCRUBBER.scrub_text(text) == text


def test_a_citation_key_loses_its_name():
    assert SCRUBBER.scrub_text("\\cite{lovelace1843,godel:1931}") == "\\cite{[name]1843,[name]:1931}"


def test_an_author_block_goes_whole():
    text = "\\author[1]{Known \\and Unknown}\\title{Kept}\\affil{Secret Institute}"
    assert SCRUBBER.scrub_text(text) == "\\author[1]{[author]}\\title{Kept}\\affil{[author]}"


def test_what_the_end_of_a_passage_cuts_goes_from_both_parts():
    assert SCRUBBER.scrub("Mail ada.l", "@ex.org now") == ("Mail [email]", "[email] now")


def test_names_are_read_off_author_blocks():
    text = "\\author{Grace Hopper$^1$ \\and Alan M. Turing\\thanks{Foo} \\\\ a department}"
    assert printed_names(text) == {"Grace Hopper", "Alan M. Turing"}


@given(st.lists(st.text(alphabet="a @.{}\\%\n[]", max_size=12), max_size=5))
def test_the_parts_of_a_text_without_findings_are_themselves(parts):
    scrubber = make_scrubber((), (), ())
    if scrubber.scrub_text("".join(parts)) == "".join(parts):
        assert scrubber.scrub(*parts) == tuple(parts)


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30), st.sampled_from("ab"))))
def test_merged_spans_cover_the_same_and_share_nothing(spans):
    spans = [span for span in spans if span[0] < span[1]]
    found = merged(spans)
    covered = {place for start, end, _ in spans for place in range(start, end)}
    assert {place for start, end, _ in found for place in range(start, end)} == covered
    assert all(a[1] <= b[0] for a, b in pairwise(found))
