"""Every message has one class, and a class says what may be done about it."""

import pytest

from lattice_env.agents.repair.failures import MISSING_PACKAGE, PERSONS, class_of, first_failure
from lattice_env.verifier.build import Built
from lattice_env.verifier.diagnostics import CLASSES, Diagnostic


@pytest.mark.parametrize(
    ("message", "name", "action"),
    [
        ("LaTeX Error: File `booktab.sty' not found.", "missing-package", "install"),
        ("LaTeX Error: File `artcle.cls' not found.", "missing-package", "install"),
        ("LaTeX Error: File `sections/a.tex' not found.", "missing-file", "edit"),
        ("Undefined control sequence.", "undefined-command", "edit"),
        (r"LaTeX Error: \begin{itemize} on input line 3 ended by \end{document}.", "environment", "edit"),
        ("LaTeX Error: Environment itemise undefined.", "environment", "edit"),
        ("Missing $ inserted.", "missing-math", "edit"),
        ("Too many }'s.", "braces", "edit"),
        (r"File ended while scanning use of \@xdblarg.", "braces", "edit"),
        (r"Extra alignment tab has been changed to \cr.", "alignment", "edit"),
        (r"LaTeX Error: Something's wrong--perhaps a missing \item.", "missing-item", "edit"),
        ("LaTeX Error: Option clash for package hyperref.", "option-clash", "edit"),
        ("Package pdftex.def Error: File `figures/a.pdf' not found: using draft setting.", "missing-figure", "edit"),
        ("LaTeX Error: Unknown graphics extension: .tif.", "missing-figure", "edit"),
        ("I was expecting a `,' or a `}'", "bibliography", "edit"),
        ("LaTeX Error: Unicode character \u2264 (U+2264)", "encoding", "edit"),
        (r"Font \x=nosuchfont not loadable: Metric (TFM) file not found.", "font", "person"),
        ("Package minted Error: You must invoke LaTeX with the -shell-escape flag.", "shell-escape", "person"),
        ("Fatal Package fontspec Error: The fontspec package requires either XeTeX or LuaTeX.", "engine", "person"),
        (r"LaTeX Error: No \title given.", "semantic", "edit"),
        ("Something that TeX never says", "unknown", "edit"),
    ],
)
def test_a_message_has_its_class(message, name, action):
    found = class_of(message)
    assert (found.name, found.action) == (name, action)


def test_only_classes_that_there_are_have_an_action_of_their_own():
    assert {*PERSONS, MISSING_PACKAGE} <= {name for name, _ in CLASSES}


@pytest.mark.parametrize("reason", ["resource", "no-pdf", "rewritten"])
def test_what_no_message_tells_is_a_class_too(reason):
    failure = first_failure(Built(reason), {}, "", "a")
    assert (failure.kind, failure.action, bool(failure.why)) == (reason, "person", True)


def test_places_are_those_of_the_project():
    log = "(./b.tex\n./parts/x.tex:2: Undefined control sequence.\nl.2 a \\b\n        \n"
    files = {"sub/b.tex": b"", "sub/parts/x.tex": b"one\na \\b\n"}
    failure = first_failure(Built("tex", products={"b.log": log}), files, "sub", "b")
    assert (failure.file, failure.line, failure.source) == ("sub/parts/x.tex", 2, "a \\b")
    assert failure.same == ("undefined-command", "sub/parts/x.tex", "a \\b")


def test_a_file_outside_the_project_is_not_named():
    log = "/usr/share/texmf/x.sty:2: Undefined control sequence.\n"
    failure = first_failure(Built("tex", products={"b.log": log}), {"b.tex": b""}, "", "b")
    assert (failure.file, failure.source) == ("", "")


def test_of_tex_and_the_bibliography_program_tex_is_first():
    log = "./b.tex:1: Undefined control sequence.\n"
    told = Diagnostic("a.bib", 3, "I was expecting a `,' or a `}'", "bibliography")
    built = Built("tex", products={"b.log": log}, diagnostics=(told,))
    assert first_failure(built, {"b.tex": b"x"}, "", "b").kind == "undefined-command"
    assert first_failure(Built("bibliography", diagnostics=(told,)), {"a.bib": b""}, "", "b").file == "a.bib"
