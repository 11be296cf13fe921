"""What a paper is made of is read in order, and the first thing that is gone is named."""

import pytest

from lattice_env.verifier.latex import Document
from lattice_env.verifier.structure import Item, first_missing, items


def kinds(text, path="a.tex"):
    return [item.kind for item in items(Document(path, text).code, path)]


def made(*names):
    return [Item(name, offset) for offset, name in enumerate(names)]


def test_sections_keep_their_level_and_their_star():
    assert kinds(r"\section{a}\subsection*{b}\paragraph{c}") == ["section", "subsection*", "paragraph"]


def test_floats_captions_and_labels_are_seen_in_order():
    text = r"\begin{table*}\caption{x}\label{t}\begin{tabular}{l}\end{tabular}\end{table*}"
    assert kinds(text) == ["table*", "caption", "label", "tabular"]


@pytest.mark.parametrize("text", [r"\cite{a}", r"\citep[see][]{a}", r"\Citet*{a}", r"\textcite{a}", r"\nocite{*}"])
def test_every_citation_is_one(text):
    assert kinds(text) == ["citation"]


@pytest.mark.parametrize("text", [r"\ref{a}", r"\eqref{a}", r"\Cref{a,b}", r"\autoref*{a}", r"\pageref{a}"])
def test_every_reference_is_one(text):
    assert kinds(text) == ["reference"]


def test_a_longer_command_is_another():
    assert kinds(r"\reference \labels \itemsep \sectionmark \refs") == []


def test_displays_items_and_notes_are_seen():
    assert kinds(r"\[ x \] \item y \footnote{z} \begin{equation}") == ["display", "item", "footnote", "equation"]


@pytest.mark.parametrize("text", [r"a \\[2pt] b", r"a \\item b"])
def test_a_line_break_starts_nothing(text):
    assert kinds(text) == []


def test_what_is_dead_is_no_part_of_the_paper():
    assert kinds("% \\ref{a}\n\\iffalse\\cite{b}\\fi\\verb|\\label{c}|") == []


def test_a_bibliography_is_made_of_its_entries():
    text = "@book{a,}\n  @Article{b,}\n@comment{c}\n@string{d = {e}}\n@preamble{{f}}\nmail@book{g,}"
    assert kinds(text, "refs.bib") == ["entry", "entry"]


def test_an_entry_in_parentheses_is_one():
    assert kinds("@book(a,)", "refs.bib") == ["entry"]


@pytest.mark.parametrize(
    ("wanted", "found", "missing"),
    [
        ("abc", "abc", None),
        ("abc", "axbxc", None),
        ("", "abc", None),
        ("abc", "ab", 2),
        ("abc", "ac", 1),
        ("abc", "bc", 0),
        ("abc", "", 0),
        ("ab", "ba", 1),
        ("aab", "ab", 1),
    ],
)
def test_the_first_that_is_gone_is_named(wanted, found, missing):
    item = first_missing(made(*wanted), made(*found))
    assert (item and item.offset) == missing


def test_something_put_in_does_not_change_what_is_named():
    item = first_missing(made(*"abc"), made(*"xab"))
    assert item == Item("c", 2)
