"""File and line come from what TeX printed: its file:line prefix, or the files that it had open."""

from hypothesis import given, settings
from hypothesis import strategies as st

from lattice_env.agents.repair.log import follow, join_wrapped, read_log

PLAIN = """\
This is pdfTeX, Version 3.14 (preloaded format=pdflatex)
(./main.tex (/usr/share/texmf/article.cls
Document Class: article) (./sections/a.tex) (./sections/b.tex [1] (see \\hbox)
! Undefined control sequence.
<argument> some \\emhp
                      {word}
l.12 A title with \\emph{some \\emhp
                               {word}}
The control sequence at the end of the top line
"""


def test_the_innermost_open_file_is_where_an_error_is():
    (stop,) = read_log(PLAIN)
    assert (stop.file, stop.line, stop.message) == ("sections/b.tex", 12, "Undefined control sequence.")


def test_the_line_is_told_up_to_where_tex_stopped_and_so_is_the_culprit():
    (stop,) = read_log(PLAIN)
    assert stop.before == r"A title with \emph{some \emhp"
    assert stop.after == "{word}}"
    assert stop.frame == r"some \emhp"


def test_the_prefix_of_file_line_error_is_taken_as_it_stands():
    (stop,) = read_log("(./main.tex\n./parts/x.tex:7: Missing $ inserted.\nl.7 a_\n      b\n")
    assert (stop.file, stop.line) == ("parts/x.tex", 7)


def test_lines_that_tex_broke_are_joined():
    path = "./sections/" + "x" * 75 + ".tex"
    wrapped = f"(./main.tex ({path}"
    text = wrapped[:79] + "\n" + wrapped[79:] + "\n! Emergency stop.\n"
    (stop,) = read_log(text, width=79)
    assert stop.file == path.removeprefix("./")


def test_a_message_that_goes_on_in_further_lines_is_one():
    (stop,) = read_log(
        "! Package babel Error: Unknown option 'x'. Either\n(babel)                you misspelled it.\n\n"
    )
    assert stop.message.endswith("Either you misspelled it.")


def test_an_argument_that_runs_away_is_told():
    text = "Runaway argument?\n{A title \\label {a} \\par \n! File ended while scanning use of \\@xdblarg.\n"
    (stop,) = read_log(text)
    assert stop.runaway.startswith("{A title")


def test_brackets_of_the_text_open_no_file():
    stack = ["main.tex"]
    follow("Overfull \\hbox (12.3pt too wide) in paragraph (see below", stack)
    assert [name for name in stack if name] == ["main.tex"]


def test_of_a_log_of_200_megabytes_the_end_tells():
    text = "(./main.tex\n" + "Overfull \\hbox (1pt too wide)\n" * 6_900_000 + "./main.tex:3: Emergency stop.\n"
    assert read_log(text)[-1].line == 3


@settings(deadline=None)
@given(st.text(alphabet="ab()\n./!l12:", max_size=400))
def test_no_log_is_too_strange(text):
    assert isinstance(read_log(text), list)


@settings(deadline=None)
@given(st.text(alphabet="abc ", max_size=300), st.integers(min_value=5, max_value=79))
def test_joining_undoes_breaking(line, width):
    broken = "\n".join(line[i : i + width] for i in range(0, max(len(line), 1), width))
    broken += "\n" if len(line) % width == 0 and line else ""
    assert "".join(join_wrapped(broken, width)) == line
