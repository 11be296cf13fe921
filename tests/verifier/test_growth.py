"""Work grows with a file and no faster: what each reader steps over is counted, not timed."""

from __future__ import annotations

import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lattice_env.verifier import latex
from lattice_env.verifier.comparison import MOST_PAIRS, packages
from lattice_env.verifier.latex import Document, group_end, group_ends
from lattice_env.verifier.redlines import find_definitions, find_dropped, find_inventions

SOUP = st.text(alphabet="{}\\ab %", max_size=60)


@given(SOUP)
def test_all_groups_at_once_end_where_each_ends_alone(code):
    ends = group_ends(code)
    starts = [match.start() for match in re.finditer(r"\\.|[{]", code, re.DOTALL) if match[0] == "{"]
    assert {start: group_end(code, start) for start in starts} == {start: ends.get(start) for start in starts}


def lines_run(call):
    """How many lines of Python a call runs."""
    count = 0

    def trace(frame, event, argument):
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize(
    "piece", [r"\url{", r"\url[", r"\verb|x|", r"\lstinline[", r"\iffalse\fi ", r"\begin{verbatim}"]
)
def test_a_text_twice_as_long_is_read_in_twice_the_steps(piece):
    few, many = (lines_run(lambda n=n: Document("main.tex", piece * n).spans) for n in (200, 400))
    assert many <= 2.2 * few


def test_the_groups_of_a_text_are_found_once(monkeypatch):
    asked = []
    monkeypatch.setattr(latex, "group_ends", lambda text: asked.append(text) or group_ends(text))
    assert Document("main.tex", r"\url{a%b} \url{\url{c% \href{%}{}").spans
    assert len(asked) == 1


@pytest.mark.parametrize("command", [r"\usepackage", r"\input", r"\url", r"\href", r"\includegraphics"])
def test_a_command_and_nothing_but_space_behind_it_is_soon_read(command):
    """Two stars on one run of space would try each way to share it: five thousand million ways, here."""
    document = Document("main.tex", command + " " * 100_000 + "x")
    assert packages([document]) == set()
    assert document.spans == ()


def test_options_for_many_packages_are_not_multiplied_out():
    few = Document("main.tex", r"\usepackage[a,b]{x,y}")
    assert packages([few]) == {(name, option) for name in "xy" for option in ("", "a", "b")}
    names = ",".join(f"n{number}" for number in range(MOST_PAIRS // 10))
    options = ",".join(f"o{number}" for number in range(100))
    many = packages([Document("main.tex", rf"\usepackage[{options}]{{{names}}}")])
    assert ("n7", "") in many
    assert (names, "o7") in many
    assert len(many) < MOST_PAIRS


@pytest.mark.parametrize("command", [r"\newcommand", r"\newcommand\a", r"\label", r"\newtheorem", r"\let", r"\csname"])
def test_red_lines_soon_read_a_command_and_nothing_but_space(submit, command):
    case = submit(("Every", command + " " * 30_000 + "Every"))
    assert [finding for rule in (find_definitions, find_inventions, find_dropped) for finding in rule(case)] == []


@pytest.mark.parametrize("piece", [r"\label{k%d}", r"\newcommand{\a}[1]{%d", "\n\\newcommand{\\b}[1]{%d}"])
def test_red_lines_take_twice_the_steps_for_twice_the_names(submit, piece):
    cases = [submit(("Every", "".join(piece % i for i in range(n)) + "Every")) for n in (150, 300)]
    for rule in (find_inventions, find_dropped, find_definitions):
        few, many = (lines_run(lambda case=case, rule=rule: list(rule(case))) for case in cases)
        assert many <= 2.5 * few
