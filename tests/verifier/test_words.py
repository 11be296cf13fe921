"""The word lists do not contradict each other, and every code is one of the contract's."""

import re

import pytest

from lattice_env.verifier.words import CITATIONS, CODES, DEFINERS, PLAIN, REFERENCES

RED_LINES = """delete hide comment-out silence build-config alias invent-label redefine hard-code stub decoy swap escape
    spoof forge""".split()


def test_no_plain_command_crosses_a_red_line():
    assert not PLAIN & CODES.keys()


def test_no_plain_command_defines_anything():
    assert not PLAIN & DEFINERS


def test_every_code_is_a_red_line():
    assert set(CODES.values()) <= set(RED_LINES)


@pytest.mark.parametrize("word", ["ref", "eqref", "autoref", "Cref", "subref"])
def test_references_are_known(word):
    assert re.fullmatch(REFERENCES, word)


@pytest.mark.parametrize("word", ["cite", "citep", "citeauthor", "Citet", "textcite", "nocite"])
def test_citations_are_known(word):
    assert re.fullmatch(CITATIONS, word)
