"""For each static gate an attack that it stops and the honest edit beside it that it lets through."""

import pytest

from lattice_env.verifier.comparison import Comparison
from lattice_env.verifier.gates import (
    STATIC,
    check_additions,
    check_budget,
    check_import,
    check_protected,
    check_root,
    check_structure,
    check_vocabulary,
)
from lattice_env.verifier.intake import Submission

END = (r"\end{document}", "")


def codes(gate, case):
    return [finding.code for finding in gate(case)]


def words(case):
    """(code, text) of all that the gate `vocabulary` found."""
    return {(finding.code, finding.text) for finding in check_vocabulary(case)}


def test_the_repair_passes_every_static_gate(submit, repair):
    case = submit(repair)
    assert not [finding for gate in STATIC.values() for finding in gate(case)]


def test_the_gates_are_judged_in_the_order_of_the_contract():
    assert list(STATIC) == ["import", "root", "protected", "additions", "vocabulary", "budget", "structure"]


def test_import_refuses_a_name_however_it_got_here(submit, repair):
    assert codes(check_import, submit(repair, files={"-o": b""})) == ["name"]
    assert not codes(check_import, submit(repair, files={"my notes.md": b""}))


def test_root_refuses_a_paper_that_has_none(submit):
    assert codes(check_root, submit(files={"main.tex": None})) == ["missing"]


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param((r"\documentclass[a4paper]{article}", ""), id="no class"),
        pytest.param((r"\documentclass", "% \\documentclass"), id="a class that is a comment"),
        pytest.param((r"\documentclass", "\\documentclass{book}\n\\documentclass"), id="two classes"),
        pytest.param((r"\begin{document}", ""), id="no beginning"),
        pytest.param((r"\begin{document}", r"\iffalse\begin{document}\fi"), id="a dead beginning"),
        pytest.param(END, id="no end"),
        pytest.param((r"\begin{document}", "\\endinput\n\\begin{document}"), id="ended before it begins"),
    ],
)
def test_root_refuses_a_root_that_is_no_document(submit, edit):
    assert set(codes(check_root, submit(edit))) == {"root"}


def test_root_ignores_a_document_in_a_comment_or_behind_the_end(submit):
    edits = [
        (r"\begin{document}", "% \\begin{document}\n\\begin{document}"),
        (r"\end{document}", "\\end{document}\n\\end{document}"),
    ]
    assert not codes(check_root, submit(*edits))


def test_protected_refuses_another_content_and_a_missing_file(submit):
    assert codes(check_protected, submit(bib=[("1984", "1985")], editable=("main.tex",))) == ["changed"]
    assert codes(check_protected, submit(files={"refs.bib": None}, editable=("main.tex",))) == ["missing"]


def test_protected_lets_an_editable_file_change(submit, repair):
    assert not codes(check_protected, submit(repair, bib=[("1984", "1985")]))


@pytest.mark.parametrize(
    "name",
    [
        "article.cls",
        "extra.tex",
        "refs2.bib",
        "pdflatex.fmt",
        ".latexmkrc",
        "figure.pdf",
        "main.tex.tex",
        "sub/main.pdf",
    ],
)
def test_additions_refuse_what_a_build_could_read(submit, repair, name):
    assert codes(check_additions, submit(repair, files={name: b"x"})) == ["added"]


def test_additions_let_notes_and_build_products_lie(submit, repair):
    names = ["NOTES.md", "todo.txt", "main.aux", "main.pdf", "main.log", "main.synctex.gz"]
    assert not codes(check_additions, submit(repair, files=dict.fromkeys(names, b"x")))


@pytest.mark.parametrize(
    ("new", "found"),
    [
        pytest.param(r"\marginpar{line}", ("command", r"\marginpar"), id="new command"),
        pytest.param(r"\@gobble{line}", ("command", r"\@gobble"), id="internal command"),
        pytest.param("^^5cbatchmode line", ("command", "^^5c"), id="character code"),
        pytest.param("^^M line", ("command", "^^M"), id="control character"),
        pytest.param(r"\b^^61tchmode line", ("command", "^^61"), id="character code within a name"),
        pytest.param("l\u0456ne", ("character", "\u0456"), id="letter of another script"),
        pytest.param("line\u200b", ("character", "\u200b"), id="invisible character"),
    ],
)
def test_vocabulary_refuses_what_the_paper_never_used(submit, new, found):
    assert found in words(submit(("line", new)))


def test_vocabulary_refuses_a_character_code_that_starts_a_name(submit):
    assert words(submit(("line", r"\^^62atchmode line")))


def test_vocabulary_refuses_a_command_behind_a_carriage_return(submit):
    assert ("command", r"\marginpar") in words(submit(("% A note", "%\r\\marginpar{x}\n% A note")))


@pytest.mark.parametrize(
    ("edit", "found"),
    [
        pytest.param((r"\newcommand", "\\usepackage{silence}\n\\newcommand"), "silence", id="package"),
        pytest.param((r"{hyperref}", "{hyperref,xr}"), "xr", id="one package more in a list"),
        pytest.param((r"{hyperref}", "{hyperref}\n\\RequirePackage{xr}"), "xr", id="RequirePackage"),
        pytest.param(("[hidelinks]", "[hidelinks,draft]"), "hyperref[draft]", id="package option"),
        pytest.param(("[a4paper]", "[a4paper,draft]"), "article[draft]", id="class option"),
        pytest.param(
            (r"\documentclass", "\\PassOptionsToClass{draft}{article}\n\\documentclass"), "article[draft]", id="passed"
        ),
        pytest.param(("{article}", "{minimal}"), "minimal", id="class"),
    ],
)
def test_vocabulary_refuses_a_new_package_or_option(submit, edit, found):
    assert ("package", found) in words(submit(edit))


@pytest.mark.parametrize(
    "definition",
    [r"\newcommand{\x}{\system}", r"\setlength{\parindent}{0pt}", r"\usepackage[hidelinks]{hyperref}", r"\input{refs}"],
)
def test_vocabulary_refuses_one_definer_more_than_the_paper_had(submit, definition):
    also = [(r"\begin{document}", "\\def\\a{}\\setlength{\\parindent}{1em}\\def\\x{}\\input{tiny}\n\\begin{document}")]
    word = definition[: definition.find("{")].split("[")[0]
    assert ("command", word) in words(submit((r"\end{document}", definition + "\n\\end{document}"), also=also))


def test_vocabulary_refuses_one_def_more_than_before(submit):
    also = [(r"\begin{document}", "\\def\\a{}\\def\\b{}\n\\begin{document}")]
    assert words(submit((r"\def\a{}", r"\def\a{}\def\b{}"), also=also)) == {("command", r"\def")}


def test_a_comment_may_say_what_it_likes_and_is_not_built(submit):
    case = submit(("% A note", "% \\newcommand A note"))
    assert not words(case)
    assert b"newcommand A note" not in case.sources["main.tex"]
    assert b"newcommand A note" in case.submission.files["main.tex"]


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param(("by hand", r"\emph{by hand}\ldots"), id="plain commands"),
        pytest.param(("Every reader who repairs", "Each person who mends"), id="words reworded"),
        pytest.param(("older book", "old, naïve book"), id="a letter that the paper has"),
        pytest.param(("% A note", "% Ω, \u200b: A note"), id="a letter in a comment"),
        pytest.param((r"\begin{document}", "\\begin{document}\n"), id="a line break"),
        pytest.param(("Table~", r"Table~\system{} "), id="the paper's own command"),
    ],
)
def test_vocabulary_lets_an_honest_edit_through(submit, repair, edit):
    assert not words(submit(repair, edit))


def test_vocabulary_lets_a_definition_move(submit, repair):
    line = "\\newcommand{\\system}{Lattice}\n"
    moved = [(line, ""), (r"\begin{document}", line + r"\begin{document}")]
    assert not words(submit(repair, *moved))


def test_vocabulary_lets_options_change_places_and_spaces(submit, repair):
    also = [("[a4paper]", "[a4paper,11pt]")]
    assert not words(submit(repair, ("[a4paper,11pt]", "[ 11pt, a4paper ]"), also=also))


def test_vocabulary_lets_the_repair_bring_back_a_word_that_the_fault_took(make_spec, submit, paper):
    original = {**paper, "main.tex": paper["main.tex"].replace(b"Table~", b"Table\\thinmuskip ")}
    case = Comparison(make_spec(original, paper), Submission(original))
    assert not words(case)
    assert ("command", r"\thinmuskip") in words(submit(("Table~", r"Table\thinmuskip ")))


def test_vocabulary_says_the_line(submit):
    (finding,) = check_vocabulary(submit(("line after", r"\marginpar{x} line after")))
    assert (finding.file, finding.line) == ("main.tex", 10)


def test_budget_refuses_one_token_more_than_it_allows(submit, repair):
    case = submit(repair, ("hand", "foot"), ("line", "row"), budget=2)
    assert codes(check_budget, case) == ["too-large"]


def test_budget_lets_an_edit_of_its_size_through(submit, repair):
    assert not codes(check_budget, submit(repair, ("hand", "foot"), budget=2))


@pytest.mark.parametrize(
    ("edit", "kind"),
    [
        pytest.param((r"\section{", r"\section*{"), "section", id="section"),
        pytest.param(("\\caption{Seconds for each build.}", ""), "caption", id="caption"),
        pytest.param((r"~\cite{knuth}", ""), "citation", id="citation"),
        pytest.param((r"\label{sec:speed}", ""), "label", id="label"),
        pytest.param((r"Table~\ref{tab:1}", "Table~1"), "reference", id="reference"),
        pytest.param((r"\[ a + b = c \hspace{1em}(7) \]", ""), "display", id="equation"),
        pytest.param((r"\begin{tabular}{lr}", r"\iffalse\begin{tabular}{lr}\fi"), "tabular", id="dead table"),
        pytest.param((r"Table~\ref{tab:1}", r"Table~\verb|\ref{tab:1}|"), "reference", id="reference in verbatim"),
        pytest.param((r"~\cite{knuth}", "% \\cite{knuth}\n"), "citation", id="citation in a comment"),
    ],
)
def test_structure_names_what_is_gone(submit, repair, edit, kind):
    (finding,) = check_structure(submit(repair, edit))
    assert finding.code == "gone"
    assert f"the original's {kind} of line" in finding.text


def test_structure_refuses_an_entry_taken_out(submit, repair):
    assert codes(check_structure, submit(repair, bib=[("@book{knuth,", "@comment{knuth,")])) == ["gone"]


def test_structure_lets_more_and_other_words_through(submit, repair):
    more = (r"by hand", r"by hand~\cite{knuth} (see Section~\ref{sec:speed})")
    assert not codes(check_structure, submit(repair, more, ("Every reader", "A reader")))
    assert not codes(check_structure, submit(repair, (r"\cite{", r"\citep{"), (r"\ref{", r"\autoref{")))
