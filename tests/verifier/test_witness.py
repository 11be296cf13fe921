"""The page must show what the text says: what only one of the two holds is a contradiction."""

import pytest

from lattice_env.verifier.build import MARKS
from lattice_env.verifier.papers import unmarked
from lattice_env.verifier.store import Store
from lattice_env.verifier.witness import Page, contradictions, read_witness, witness_json

PAPER = r"""\documentclass{article}
\usepackage{xcolor}
\usepackage{graphicx}
\begin{document}
\section{Speed}\label{sec:speed}
Every build is slow, as Section~\ref{sec:speed} says, and \textcolor{blue}{blue words} are seen.
%s
\begin{figure}\centering\colorbox{black}{\textcolor{white}{white on black}}
\caption{Own white text.}\label{fig:a}\end{figure}
Figure~\ref{fig:a} shows it.
\end{document}
"""

HIDDEN = {
    "microscopic": r"\scalebox{0.005}{invisible words}",
    "white": r"\textcolor{white}{invisible words}",
    "covered": r"\mbox{invisible}\llap{\textcolor{white}{\rule[-1ex]{5em}{4ex}}}",
    "blackened": r"\mbox{invisible}\llap{\rule[-2ex]{6em}{6ex}}",
    "render mode": r"\pdfliteral direct{3 Tr}invisible words\pdfliteral direct{0 Tr}",
}

UNHEARD = {
    "off the page": r"\rlap{\hspace{60cm}invisible words}",
}


def pages(builds: Store, text: str):
    return builds.witness({"main.tex": (PAPER % text).encode()}, "main.tex")


@pytest.mark.tex
@pytest.mark.parametrize("name", HIDDEN)
def test_text_that_is_not_to_be_seen_is_a_contradiction(builds, name):
    codes = {finding.code for finding in contradictions(pages(builds, HIDDEN[name]), pages(builds, "words."))}
    assert "unseen" in codes


@pytest.mark.tex
@pytest.mark.parametrize("name", UNHEARD)
def test_what_poppler_does_not_even_read_is_no_text_to_be_paid_for(builds, name):
    assert "invisible" not in builds.outcome({"main.tex": (PAPER % UNHEARD[name]).encode()}, "main.tex").text


@pytest.mark.tex
@pytest.mark.parametrize("text", ["Other words, set plainly.", r"\textcolor{blue}{More blue words.}", "$x^2 + y_1$"])
def test_honest_words_contradict_nothing(builds, text):
    assert not list(contradictions(pages(builds, text), pages(builds, "words.")))


@pytest.mark.tex
def test_what_the_original_hides_may_be_hidden(builds):
    hidden = pages(builds, HIDDEN["white"])
    assert not list(contradictions(hidden, hidden))


@pytest.mark.tex
def test_a_picture_of_text_is_stray_ink(builds):
    picture = r"\par\rule{\textwidth}{3cm}"
    codes = {finding.code for finding in contradictions(pages(builds, picture), pages(builds, "words."))}
    assert "stray-ink" in codes


def test_the_same_words_over_other_dots_are_a_contradiction():
    page = Page((), 10, "words", "dots")
    assert [f.code for f in contradictions((Page((), 10, "words", "other"),), (page,))] == ["other-page"]
    assert not list(contradictions((Page((), 10, "more", "other"),), (page,)))


def test_a_witness_is_kept_as_json():
    witness = (Page(("a",), 3, "x", "y"),)
    assert read_witness(witness_json(witness)) == witness


def marked(builds: Store, text: str) -> str:
    outcome = builds.outcome({"main.tex": (PAPER % text).encode()}, "main.tex", probe=MARKS)
    assert not outcome.reason
    return outcome.text


@pytest.mark.tex
def test_a_typed_number_carries_no_mark_and_a_reference_does(builds):
    original = marked(builds, r"See Section~\ref{sec:speed}.")
    assert "QZ1" in original
    assert [f.code for f in unmarked(marked(builds, "See Section~1."), original)] == ["marks"]
    assert not list(unmarked(marked(builds, r"Do see Section~\ref{sec:speed}."), original))


@pytest.mark.tex
def test_a_redefined_counter_of_the_original_s_own_is_marked_too(builds):
    own = PAPER.replace("\\begin{document}", r"\renewcommand{\thefigure}{F\arabic{figure}}\begin{document}") % "words."
    assert "QZF1" in builds.outcome({"main.tex": own.encode()}, "main.tex", probe=MARKS).text
