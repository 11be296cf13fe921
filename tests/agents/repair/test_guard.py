"""What an edit may not do, and its honest neighbour that it may."""

import os

import pytest

from lattice_env.agents.repair.edits import Edit, edit_between, lines_of
from lattice_env.agents.repair.guard import MOST_LINES, check_edit, check_place
from lattice_env.agents.repair.project import read_project, sha256

PAPER = r"""\documentclass[10pt]{article}
\usepackage{natbib}
\begin{document}
\section{One}\label{sec:one}
We sea that the cat, the dog, the hen and the cow agree \citep{knuth}.
See Section~\ref{sec:one} and the figure.
\begin{itemise}
  \item first
\end{itemise}
% a comment
\end{document}
"""


def refused(old, new, path="main.tex", **others):
    """The code with which the edit that replaces `old` by `new` is refused; empty where it is made."""
    files = {path: PAPER.encode(), **others}
    assert old in PAPER
    refusal = check_edit(files, edit_between(files, path, PAPER.replace(old, new), ""))
    return refusal.code if refusal else ""


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("\\documentclass[10pt]", "\\documentclass[12pt]", "protected"),
        ("\\begin{document}\n", "", "protected"),
        ("\\end{document}\n", "", "protected"),
        ("We sea", "We sea\n\\end{document}\n", "delete"),
        ("We sea", "\\newcommand{\\sea}{see} We \\sea", "vocabulary"),
        ("We sea", "\\let\\x\\y We sea", "vocabulary"),
        ("We sea", "\\iffalse We sea", "protected"),
        ("We sea", "\\iffalse We\\fi sea", "vocabulary"),
        ("We sea", "\\batchmode We sea", "vocabulary"),
        ("We sea", "^^5clet We sea", "vocabulary"),
        ("{natbib}", "{natbib,silence}", "build-config"),
        ("\\usepackage{natbib}", "\\usepackage[draft]{natbib}", "build-config"),
        ("% a comment", "% !TeX program = lualatex", "build-config"),
        ("We sea that the cat, the dog, the hen and the cow agree ", "", "delete"),
        ("We sea that the cat", "% We sea that the cat", "delete"),
        ("cow", "", "delete"),
        ("  \\item first\n", "", "delete"),
        ("  \\item first\n", "  first\n", "structure"),
        (" \\citep{knuth}", "", "structure"),
        ("\\ref{sec:one}", "1", "structure"),
        ("% a comment", "\\label{sec:two}", "invent-label"),
    ],
)
def test_an_edit_that_a_repair_does_not_need_is_refused(old, new, code):
    assert refused(old, new) == code


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("We sea", "We see"),
        ("\\begin{itemise}", "\\begin{itemize}"),
        ("\\usepackage{natbib}", "\\usepackage{natbib}\n\\usepackage{booktabs}"),
        ("agree \\citep", "agree~\\citep"),
        ("\\section{One}", "\\section{Two}"),
        ("% a comment", "% another comment"),
    ],
)
def test_its_honest_neighbour_is_made(old, new):
    assert refused(old, new) == ""


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("newcommand{\\loss}{L}\n", "\\newcommand{\\loss}{L}\n", ""),
        ("newcommand{\\loss}{L}\n", "\\newcommand{\\loss}{L}\\newcommand{\\x}{}\n", "vocabulary"),
        ("newcommand{\\loss}{L}\n", "\\def\\loss{L}\n", "vocabulary"),
        ("newcommand{\\loss}{L}\n", "{\\loss}{L}\n", "delete"),
    ],
)
def test_a_command_of_a_preamble_in_a_file_of_its_own_may_get_its_backslash_back_and_no_more(old, new, code):
    files = {"preamble.tex": f"% ours\n{old}\\newcommand{{\\cost}}{{J}}\n".encode()}
    after = files["preamble.tex"].decode().replace(old, new)
    refusal = check_edit(files, edit_between(files, "preamble.tex", after, ""))
    assert (refusal.code if refusal else "") == code


def test_the_end_of_a_document_that_has_none_may_be_added():
    files = {"main.tex": PAPER.replace("\\end{document}\n", "").encode()}
    assert check_edit(files, edit_between(files, "main.tex", PAPER, "")) is None


def test_an_entry_may_get_a_key_that_is_cited_and_no_other():
    files = {"main.tex": PAPER.encode(), "a.bib": b"@book{,\n title={A}}\n"}
    good = edit_between(files, "a.bib", "@book{knuth,\n title={A}}\n", "")
    bad = edit_between(files, "a.bib", "@book{other,\n title={A}}\n", "")
    assert check_edit(files, good) is None
    assert check_edit(files, bad).code == "invent-label"


def test_an_edit_has_a_size():
    files = {"main.tex": PAPER.encode()}
    edit = Edit("main.tex", 5, 5, "x\n" * (MOST_LINES + 1), sha256(PAPER.encode()), "")
    assert check_edit(files, edit).code == "too-large"
    assert check_edit(files, Edit("main.tex", 5, 5, "x" * 5000, edit.read, "")).code == "too-large"


def test_an_edit_that_changes_nothing_is_refused():
    line = lines_of(PAPER.encode())[4]
    edit = Edit("main.tex", 5, 5, line, sha256(PAPER.encode()), "")
    assert check_edit({"main.tex": PAPER.encode()}, edit).code == "no-change"


@pytest.fixture
def place(project):
    """A function: the code with which the place of an edit is refused."""
    folder = project({"main.tex": PAPER, "code.py": "x\n"})

    def ask(path, *, first=1, last=1, read=""):
        files = dict(read_project(folder).files)
        refusal = check_place(folder, files, Edit(path, first, last, "x", read or sha256(files.get(path, b"")), ""))
        return refusal.code if refusal else ""

    ask.folder = folder
    return ask


def test_a_source_inside_is_edited(place):
    assert place("main.tex") == ""


@pytest.mark.parametrize("path", ["../main.tex", "/etc/passwd", "missing.tex", "", "."])
def test_a_file_outside_is_not(place, path):
    assert place(path) == "outside"


def test_a_link_is_not_followed(place):
    (place.folder / "link.tex").symlink_to("/etc/passwd")
    (place.folder / "sub").symlink_to(place.folder.parent)
    assert place("link.tex") == "outside"
    assert place("sub/x.tex") == "outside"


def test_a_hard_link_is_not_edited(place):
    os.link(place.folder / "main.tex", place.folder.parent / "outside.tex")
    assert place("main.tex") == "outside"


def test_what_is_no_source_is_not_edited(place):
    assert place("code.py") == "not-a-source"


def test_lines_that_are_not_there_are_not_edited(place):
    assert place("main.tex", first=3, last=2) == "no-such-lines"
    assert place("main.tex", first=1, last=99) == "no-such-lines"


def test_a_file_that_changed_since_it_was_read_is_not_edited(place):
    assert place("main.tex", read="0" * 64) == "stale"
