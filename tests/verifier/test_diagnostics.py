"""Excerpts of real logs, and what they come down to."""

import pytest

from lattice_env.verifier.diagnostics import Diagnostic, classify, first_line, read_diagnostics

UNDEFINED = r"""
(/usr/share/texlive/texmf-dist/tex/latex/hyperref/nameref.sty
Package: nameref 2022-05-17 v2.50 Cross-referencing by name of section
)
./main.tex:7: Undefined control sequence.
l.7 We call a build \emhp
                         {quick} when
The control sequence at the end of the top line
of your error message was never \def'ed.
"""

ENDED_BY = r"""
./sections/intro.tex:12: LaTeX Error: \begin{itemize} on input line 10 ended by \end{document}.

See the LaTeX manual or LaTeX Companion for explanation.
Type  H <return>  for immediate help.
 ...

l.12 \end{document}
"""

CONTINUED = r"""
./main.tex:3: Package inputenc Error: Invalid UTF-8 byte "E9.
(inputenc)                Use a UTF-8 editor.

See the inputenc package documentation for explanation.
l.3 caf^^e9
"""

STOPPED = """
! Emergency stop.
<*> main.tex

*** (job aborted, no legal \\end found)
"""

BIBTEX = r"""This is BibTeX, Version 0.99d (TeX Live 2022/Debian)
The top-level auxiliary file: main.aux
The style file: plain.bst
Database file #1: refs.bib
I was expecting a `,' or a `}'---line 7 of file refs.bib
 :
 :   year = 1984
(Error may have been on previous line)
I'm skipping whatever remains of this entry
Warning--I didn't find a database entry for "lamport"
Warning--empty publisher in knuth
(There was 1 error message)
"""

BIBTEX_FILES = r"""This is BibTeX, Version 0.99d (TeX Live 2022/Debian)
I couldn't open database file ref.bib
---line 9 of file main.aux
 : \bibdata{ref
 :             }
I'm skipping whatever remains of this command
I found no database files---while reading file main.aux
"""

BIBER = """[0] Config.pm:307> INFO - This is Biber 2.18
[89] Utils.pm:410> WARN - Duplicate entry key: 'a'
[102] Utils.pm:411> ERROR - Cannot find 'ref.bib'!
[102] Biber.pm:136> INFO - ERRORS: 1
"""


def read(log="", blg=""):
    return read_diagnostics({"main.log": log, "main.blg": blg}, "main")


def test_an_undefined_command_has_its_file_line_and_source():
    assert read(UNDEFINED) == (
        Diagnostic("main.tex", 7, "Undefined control sequence.", "undefined-command", r"l.7 We call a build \emhp"),
    )


def test_a_latex_error_is_read_whole():
    (error,) = read(ENDED_BY)
    assert (error.file, error.line, error.kind) == ("sections/intro.tex", 12, "environment")
    assert error.message == r"LaTeX Error: \begin{itemize} on input line 10 ended by \end{document}."
    assert error.source == r"l.12 \end{document}"


def test_a_continuation_belongs_to_its_message():
    (error,) = read(CONTINUED)
    assert error.message == 'Package inputenc Error: Invalid UTF-8 byte "E9. (inputenc) Use a UTF-8 editor.'
    assert error.kind == "encoding"


def test_an_emergency_stop_has_no_place():
    (error,) = read(STOPPED)
    assert (error.file, error.line, error.message, str(error)) == ("", 0, "Emergency stop.", "Emergency stop.")


@pytest.mark.parametrize("place", ["! ", "./main.tex:7: "])
def test_the_fatal_line_repeats_what_was_said_and_is_no_error(place):
    assert len(read(f"{UNDEFINED}\n{place} ==> Fatal error occurred, no output PDF file produced!\n")) == 1


def test_errors_of_bibtex_have_their_line_and_warnings_are_none():
    assert read(blg=BIBTEX) == (Diagnostic("refs.bib", 7, "I was expecting a `,' or a `}'", "bibliography"),)


def test_a_bibliography_that_is_not_there_is_named():
    assert [error.message for error in read(blg=BIBTEX_FILES)] == [
        "I couldn't open database file ref.bib",
        "I found no database files---while reading file main.aux",
    ]


def test_errors_of_biber_are_read_and_its_warnings_are_not():
    assert read(blg=BIBER) == (Diagnostic("", 0, "Cannot find 'ref.bib'!", "bibliography"),)


def test_tex_comes_first_each_error_once_and_twenty_at_most():
    log = UNDEFINED * 3 + "".join(f"./main.tex:{n}: Missing $ inserted.\nl.{n} x\n" for n in range(40))
    found = read(log, BIBER)
    assert len(found) == 20
    assert first_line(found) == "main.tex:7: Undefined control sequence."


def test_a_clean_log_has_no_errors():
    assert read("LaTeX Warning: Reference `a' on page 1 undefined on input line 3.\n") == ()
    assert first_line(()) == ""
    assert read_diagnostics({}, "main") == ()


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("Undefined control sequence.", "undefined-command"),
        ("LaTeX Error: File `grafix.sty' not found.", "missing-package"),
        ("LaTeX Error: File `parts/a.tex' not found.", "missing-file"),
        ("Missing $ inserted.", "missing-math"),
        ("LaTeX Error: Environment itemise undefined.", "environment"),
        ("Extra alignment tab has been changed to \\cr.", "alignment"),
        ("Too many }'s.", "braces"),
        ("Double superscript.", "script"),
        ("LaTeX Error: Option clash for package hyperref.", "option-clash"),
        ("LaTeX Error: Unicode character β (U+03B2)", "encoding"),
        ("Illegal unit of measure (pt inserted).", "dimension"),
        ("LaTeX Error: Missing \\begin{document}.", "preamble"),
        ("TeX capacity exceeded, sorry [input stack size=10000].", "resource"),
        ("Something of its own.", "unknown"),
    ],
)
def test_a_message_has_a_class(message, kind):
    assert classify(message) == kind


def test_a_diagnostic_is_json():
    body = {"file": "a.tex", "line": 1, "message": "m", "kind": "unknown", "source": ""}
    assert Diagnostic("a.tex", 1, "m", "unknown").to_json() == body


def test_an_error_of_bibtex_that_is_broken_over_two_lines_is_one():
    broken = "Case mismatch error between cite keys knuth and Knuth\n---line 61 of file main.aux\n"
    assert [str(error) for error in read(blg=broken)] == [
        "main.aux:61: Case mismatch error between cite keys knuth and Knuth"
    ]


def test_a_scratch_file_of_biber_is_not_named_after_its_run():
    random = "ERROR - BibTeX subsystem: /tmp/biber_tmp_7Ryi/0a1b2c_7.utf8, line 4, syntax error: found x\n"
    assert [error.message for error in read(blg=random)] == [
        "BibTeX subsystem: biber.utf8, line 4, syntax error: found x"
    ]
