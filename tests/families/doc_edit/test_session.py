"""The four tools: what they answer, what they refuse and why, and that every call costs a turn."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lattice_env.families.doc_edit.session import MOST_HITS, MOST_TEXT, TOOLS, Session
from lattice_env.verifier.edit_spec import lines_of


@pytest.fixture
def session(make):
    return Session(make().task.spec)


def line(session, page, number):
    return lines_of(session.spec.initial[session.spec.editable[page - 1]])[number - 1]


def edit(session, page, old, new):
    return session.act("edit_text", {"page": page, "old_text": old, "new_text": new})


def test_search_finds_every_line_whatever_its_case(session):
    query = next(text for text in lines_of(session.spec.initial[session.spec.editable[1]])[2:] if len(text.split()) > 2)
    answer = session.act("search_doc", {"query": query.upper()}).text
    assert "page 2, line" in answer
    assert session.act("search_doc", {"query": query.lower()}).text == answer
    assert all(line(session, int(hit.split()[1][:-1]), int(hit.split()[3][:-1])) in hit for hit in answer.split("\n"))


def test_search_shows_twelve_hits_and_says_that_there_are_more(session):
    answer = session.act("search_doc", {"query": "e"}).text.split("\n")
    assert len(answer) == MOST_HITS + 1
    assert "more than these 12" in answer[-1]


def test_search_without_a_hit_is_no_refusal(session):
    reply = session.act("search_doc", {"query": "zebra"})
    assert (reply.text, reply.refused) == ("No hits.", False)


def test_search_counts_lines_where_small_letters_are_longer(session):
    edit(session, 1, line(session, 1, 3), "\u0130\u0130 LETTER")
    assert "page 1, line 3: \u0130\u0130 LETTER" in session.act("search_doc", {"query": "letter"}).text


def test_a_page_is_read_whole(session):
    text = session.act("read_page", {"page": 1}).text
    assert f"{text}\n".encode() == session.spec.initial["page-01.txt"]


def test_an_edit_replaces_what_stands_there_once(session):
    old = line(session, 1, 3)
    assert edit(session, 1, old, "A NEW HEADING").text == "Replaced on page 1, line 3."
    assert lines_of(session.files()["page-01.txt"])[2] == "A NEW HEADING"
    assert session.metrics()["num_edits"] == 1


REFUSED = {
    "old_text empty": ("edit_text", {"page": 1, "old_text": "", "new_text": "x"}, "old_text is empty"),
    "old_text not there": ("edit_text", {"page": 1, "old_text": "zebra", "new_text": "x"}, "not found on page 1"),
    "old_text there often": ("edit_text", {"page": 1, "old_text": "e", "new_text": "x"}, r"times \(line "),
    "nothing new": ("edit_text", {"page": 1, "old_text": "Order", "new_text": "Order"}, "are the same"),
    "old_text of 1 MB": ("edit_text", {"page": 1, "old_text": "x" * 1_000_000, "new_text": "y"}, "old_text is longer"),
    "new_text of 1 MB": ("edit_text", {"page": 1, "old_text": "x", "new_text": "y" * 1_000_000}, "new_text is longer"),
    "NUL in old_text": ("edit_text", {"page": 1, "old_text": "a\x00b", "new_text": "x"}, "old_text holds a control"),
    "NUL in new_text": ("edit_text", {"page": 1, "old_text": "x", "new_text": "a\x00b"}, "new_text holds a control"),
    "carriage return": ("edit_text", {"page": 1, "old_text": "x", "new_text": "a\rb"}, "control character"),
    "half a character": ("edit_text", {"page": 1, "old_text": "x", "new_text": "\ud800"}, "half a character"),
    "NBSP in old_text": ("edit_text", {"page": 1, "old_text": "PARTIES\u00a0", "new_text": "x"}, "not found"),
    "homoglyph in old_text": ("edit_text", {"page": 1, "old_text": "P\u0410RTIES", "new_text": "x"}, "not found"),
    "page as text": ("edit_text", {"page": "1", "old_text": "a", "new_text": "b"}, "a whole number, not '1'"),
    "page as truth": ("edit_text", {"page": True, "old_text": "a", "new_text": "b"}, "page must be a whole number"),
    "page with a fraction": ("read_page", {"page": 1.0}, "page must be a whole number"),
    "page null": ("read_page", {"page": None}, "page must be a whole number"),
    "page 0": ("read_page", {"page": 0}, "no page 0: the pages are 1 to"),
    "page negative": ("read_page", {"page": -1}, "no page -1"),
    "page past the end": ("read_page", {"page": 99}, "no page 99"),
    "page past the end, edited": ("edit_text", {"page": 99, "old_text": "a", "new_text": "b"}, "no page 99"),
    "old_text a number": ("edit_text", {"page": 1, "old_text": 7, "new_text": "b"}, "old_text must be text"),
    "an argument missing": ("edit_text", {"page": 1, "old_text": "a"}, "takes page, old_text, new_text"),
    "no argument": ("read_page", {}, "takes page, not nothing"),
    "arguments that are no JSON": ("read_page", '{"page": 1', "must be an object of JSON"),
    "arguments that are a list": ("read_page", [1], "must be an object of JSON"),
    "query empty": ("search_doc", {"query": " "}, "the query is empty"),
    "query too long": ("search_doc", {"query": "x" * 201}, "the query is longer than"),
    "an argument too many": ("submit", {"now": True}, "takes nothing, not now"),
    "no such tool": ("delete_page", {"page": 1}, "there is no tool 'delete_page'"),
}


@pytest.mark.parametrize(("name", "arguments", "why"), REFUSED.values(), ids=REFUSED)
def test_a_refusal_says_why_costs_a_turn_and_changes_nothing(session, name, arguments, why):
    before = session.files()
    reply = session.act(name, arguments)
    assert reply.refused
    assert re.search(why, reply.text)
    assert session.turns == 1
    assert session.files() == before
    assert not session.submitted


def test_two_tools_in_one_turn_are_refused_and_cost_it(session):
    calls = [("read_page", {"page": 1}), ("submit", {})]
    replies = session.turn(calls)
    assert [reply.refused for reply in replies] == [True, True]
    assert (session.turns, session.submitted) == (1, False)
    assert session.turn([("read_page", {"page": 1})])[0].text
    assert session.turn([]) == []
    assert session.turns == 3


def test_nothing_is_done_after_submission(session):
    session.act("submit", {})
    before = session.files()
    reply = edit(session, 1, line(session, 1, 3), "late")
    assert reply.text == "Refused: the attempt is over, it was submitted."
    assert session.files() == before
    assert session.turns == 1


def test_nothing_is_done_after_the_last_turn(make):
    session = Session(make(max_turns=20).task.spec)
    for _ in range(20):
        session.act("read_page", {"page": 1})
    assert session.over
    assert "all 20 turns are used" in session.act("submit", {}).text
    assert not session.submitted


def test_a_thousand_edits_of_one_site_are_bounded_and_counted(session):
    old, new = line(session, 1, 3), "AGAIN"
    for _ in range(1000):
        edit(session, 1, old, new)
        old, new = new, old
    assert session.metrics()["num_turns"] == session.spec.max_turns
    assert session.metrics()["num_edits"] == session.spec.max_turns
    assert session.verdict().reward == 0


words = st.one_of(st.none(), st.booleans(), st.integers(), st.text(), st.binary(), st.lists(st.integers()))


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from([*TOOLS, "", "other"]),
    st.dictionaries(st.sampled_from(["page", "query", "old_text", "new_text", "x"]), words),
)
def test_no_call_crashes(make, name, arguments):
    session = Session(make().task.spec)
    assert isinstance(session.act(name, arguments).text, str)
    assert session.turns == 1


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=40), st.text(max_size=MOST_TEXT // 100))
def test_any_text_may_be_put_in_and_the_verdict_is_reached(make, text, other):
    session = Session(make().task.spec)
    edit(session, 1, line(session, 1, 3), f"{text}\n{other}")
    assert session.verdict().reward == 0
