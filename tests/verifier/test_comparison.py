"""A submission is seen beside the shipped and the original paper, token by token."""

import pytest

from lattice_env.verifier.comparison import MOST_GROWTH, FileChange, edit_size
from lattice_env.verifier.gates import check_budget
from lattice_env.verifier.latex import Document


def texts(tokens):
    return [token.text for token in tokens]


def test_steps_are_what_the_edit_removed_and_added(make_change):
    (step,) = make_change("one two three", "one 2 three").steps
    assert (texts(step.removed), texts(step.added)) == (["two"], ["2"])


def test_a_change_in_a_comment_is_no_step_of_the_live_text(make_change):
    change = make_change("one % two\n", "one % 2\n")
    assert not change.steps
    assert not change.spoken_steps


def test_what_the_repair_takes_away_is_not_lost(make_change):
    change = make_change(r"\emhp{a} b c", r"\emph{a} c", original_text=r"\emph{a} b c")
    assert texts(change.lost) == ["b"]


def test_only_files_that_changed_are_changes(submit, repair):
    assert not submit().changes
    assert [change.path for change in submit(repair).changes] == ["main.tex"]


def test_a_missing_file_is_a_change_to_nothing(submit):
    (change,) = submit(files={"refs.bib": None}).changes
    assert (change.missing, change.submitted.text) == (True, "")


def test_the_edit_size_counts_tokens_over_all_files(submit, repair):
    assert submit().edit_size == 0
    assert submit(repair).edit_size == 1
    assert submit(repair, bib=[("1984", "1986")]).edit_size == 2
    assert edit_size("a % b", "a % c d") == 2


def test_products_of_the_root_are_no_added_files(submit):
    names = ["main.pdf", "main.aux", "sub/x.aux", "main.fdb_latexmk", "other.pdf", "notes.md"]
    assert submit(files=dict.fromkeys(names, b"")).added_files == ("notes.md", "other.pdf")


def test_only_shipped_names_are_built(submit):
    assert set(submit(files={"notes.md": b"", "article.cls": b""}).sources) == {"main.tex", "refs.bib"}


def test_the_reference_is_the_paper_before_the_fault(submit, paper):
    assert dict(submit(("Every", "Each")).reference) == paper


def test_a_flood_is_not_compared(submit, shipped):
    flood = b"x" * (len(shipped["main.tex"]) + MOST_GROWTH + 1)
    case = submit(files={"main.tex": flood})
    assert case.floods == ("main.tex",)
    assert not case.changes
    assert [finding.code for finding in check_budget(case)] == ["too-large"]


@pytest.mark.parametrize("text", ["", "\n"])
def test_an_emptied_file_is_a_change_and_not_a_missing_one(submit, text):
    (change,) = submit(files={"refs.bib": text.encode()}).changes
    assert not change.missing


@pytest.mark.parametrize(
    ("submitted", "built"),
    [
        ("one\ntwo % a remark\nthree", "one\ntwo %\nthree"),
        ("one\n% a remark\nthree", "one\nthree"),
        ("one\r\n  %% a remark\r\nthree", "one\r\nthree"),
        ("one\n% known\nthree % at the end", "one\n% known\nthree %"),
        ("one\n% the last line", "one\n%"),
        ("% the first line\none", "one"),
        ("\\verb|% no remark| one", "\\verb|% no remark| one"),
    ],
)
def test_nothing_of_a_new_comment_is_built(submitted, built):
    shipped = Document("a.tex", "one\n% known\nthree")
    change = FileChange("a.tex", shipped, shipped, Document("a.tex", submitted), data=submitted.encode())
    assert change.built == built.encode()
