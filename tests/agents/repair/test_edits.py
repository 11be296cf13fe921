"""replace_lines, and the smallest edit between two texts."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lattice_env.agents.repair.edits import Edit, edit_between, replace_lines, unified

texts = st.lists(st.sampled_from(["", "a", "b", "\\c", "é"]), min_size=1, max_size=8).map("\n".join)


@settings(deadline=None)
@given(texts, texts)
def test_an_edit_between_two_texts_makes_the_one_of_the_other(old, new):
    files = {"a.tex": old.encode()}
    if old == new:
        with pytest.raises(ValueError, match="changes nothing"):
            edit_between(files, "a.tex", new, "")
    else:
        assert replace_lines(files["a.tex"], edit_between(files, "a.tex", new, "")) == new.encode()


def test_one_line_is_one_line():
    edit = edit_between({"a.tex": b"one\ntwo\nthree\n"}, "a.tex", "one\n2\nthree\n", "why")
    assert (edit.first, edit.last, edit.text) == (2, 2, "2")


def test_latin_1_stays_latin_1():
    old = "Grüße\nxx\n".encode("latin-1")
    assert replace_lines(old, Edit("a.tex", 2, 2, "für", "", "")) == "Grüße\nfür\n".encode("latin-1")


def test_what_latin_1_does_not_hold_is_an_error():
    with pytest.raises(UnicodeEncodeError):
        replace_lines("ü\n".encode("latin-1"), Edit("a.tex", 1, 1, "\u03b1", "", ""))


def test_a_diff_tells_files_and_lines():
    diff = unified({"a.tex": b"one\ntwo"}, {"a.tex": b"one\n2"})
    assert diff.splitlines()[:2] == ["--- a/a.tex", "+++ b/a.tex"]
    assert "\\ No newline at end of file" in diff
