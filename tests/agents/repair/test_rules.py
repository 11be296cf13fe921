"""What the rules settle, on real failures: a line of a paper, and what becomes of it; and where they give up."""

import pytest

from lattice_env.agents.repair import GiveUp, Situation
from lattice_env.agents.repair.compiler import compile_root
from lattice_env.agents.repair.edits import replace_lines
from lattice_env.agents.repair.rules import rules
from lattice_env.agents.repair.rules.spelling import distance, nearest
from lattice_env.verifier.toolchain import toolchain

from .conftest import paper

pytestmark = pytest.mark.tex

PREAMBLE = "\\usepackage{amsmath,booktabs,graphicx}\n\\usepackage{xcolor}\n\\newcommand{\\loss}[1]{L_{#1}}\n"


def proposed(source, preamble=PREAMBLE, **others):
    """The body of the paper after the rules' one edit; or that they gave up."""
    whole = paper(source, preamble)
    files = {"a.tex": whole.encode(), **others}
    compiled = compile_root(files, "a.tex", toolchain())
    assert compiled.failure is not None
    answer = rules(Situation(files, "a.tex", compiled, compiled.failure))
    if isinstance(answer, GiveUp):
        return answer
    after = replace_lines(files[answer.file], answer).decode()
    return after.replace(paper("@", preamble).partition("@")[0], "").removesuffix("\n\\end{document}\n")


@pytest.mark.parametrize(
    ("broken", "repaired"),
    [
        ("A \\texbf{word}.", "A \\textbf{word}."),
        ("Price $a \\timesb$.", "Price $a \\times b$."),
        ("\\begin{itemise}\n  \\item a\n\\end{itemise}", "\\begin{itemize}\n  \\item a\n\\end{itemize}"),
        ("\\begin{itemize}\n  \\item a\n\\end{itemze}", "\\begin{itemize}\n  \\item a\n\\end{itemize}"),
        ("\\begin{itemize}\n  \\item a\n\nText.", "\\begin{itemize}\n  \\item a\n\\end{itemize}\n\nText."),
        (
            "\\begin{itemize}\n  first\n  \\item b\n\\end{itemize}",
            "\\begin{itemize}\n  \\item first\n  \\item b\n\\end{itemize}",
        ),
        ("See \\texttt{some_name} here.", "See \\texttt{some\\_name} here."),
        ("A rate of 10^{-3} here.", "A rate of $10^{-3}$ here."),
        ("Smith & Jones agree.", "Smith \\& Jones agree."),
        ("Where $n - 1 is odd.", "Where $n - 1$ is odd."),
        ("A $\\sum^{j=1}^{n} j$.", "A $\\sum_{j=1}^{n} j$."),
        ("\\[ \\left( a + b ) \\]", "\\[ \\left( a + b \\right) \\]"),
        ("\\begin{equation}\n  a &= b\n\\end{equation}", "\\begin{equation}\n  a = b\n\\end{equation}"),
        ("\\begin{equation}\n  a = b\n\n\\end{equation}", "\\begin{equation}\n  a = b\n\\end{equation}"),
        ("\\section{A title\n\\label{sec:a}\n\nText.", "\\section{A title}\n\\label{sec:a}\n\nText."),
        ("A stray \\emph{word}} here.", "A stray \\emph{word} here."),
        (
            "\\begin{tabular}{ll}\n  a & b\n  \\midrule\n  c & d \\\\\n\\end{tabular}",
            "\\begin{tabular}{ll}\n  a & b \\\\\n  \\midrule\n  c & d \\\\\n\\end{tabular}",
        ),
        (
            "\\begin{tabular}{ll}\n  a & b & \\\\\n  c & d \\\\\n\\end{tabular}",
            "\\begin{tabular}{ll}\n  a & b \\\\\n  c & d \\\\\n\\end{tabular}",
        ),
        ("\\textcolor{bleu}{a} and \\textcolor{red}{b}", "\\textcolor{blue}{a} and \\textcolor{red}{b}"),
        ("An en\u2212dash of $a \u2264 b$.", None),
        ("The \\verb|a_b here.", "The \\verb|a_b| here."),
    ],
)
def test_what_can_be_settled_is(broken, repaired):
    found = proposed(broken)
    if repaired is None:
        assert "$-$" in found or "\\le" in found
    else:
        assert found == repaired


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param("A \\qzqzq{word}.", id="a command that is near none"),
        pytest.param("\\alphabeta and again \\alphabeta", id="a command used twice: it lacks its definition"),
        pytest.param("Some $\\loxx{a}$.", id="two mistakes in a short name"),
        pytest.param(
            "\\begin{tabular}{ll}\n a & b & c \\\\\n\\end{tabular}", id="a cell too many that holds something"
        ),
        pytest.param("\\setlength{\\parindent}{12}", id="a length without a unit"),
        pytest.param("\\emph{a word and the rest of it\n\nNext.", id="an emphasis that may end anywhere"),
        pytest.param("\\includegraphics{nothing.pdf}", id="a figure that is near none"),
    ],
)
def test_where_a_repair_would_be_a_guess_none_is_made(broken):
    assert isinstance(proposed(broken), GiveUp)


def test_a_figure_with_another_ending_is_found():
    drawn = compile_root({"f.tex": paper("x").encode()}, "f.tex", toolchain()).pdf
    assert "{plot.pdf}" in proposed("\\includegraphics[width=2cm]{plot.tif}", **{"plot.pdf": drawn})


@pytest.mark.parametrize(
    ("one", "other", "steps"),
    [("emhp", "emph", 1), ("emph", "emph", 0), ("texbf", "textbf", 1), ("abc", "xyz", 3), ("a", "abcd", 3)],
)
def test_mistakes_are_counted(one, other, steps):
    assert distance(one, other) == steps


def test_of_two_names_as_near_none_is_meant():
    assert nearest("cat", ["bat", "cut"]) == "cut"
    assert nearest("cat", ["cot", "cut"]) == ""
    assert nearest("cat", ["cot", "cut"], rank=lambda name: int(name != "cot")) == "cot"


def test_a_package_is_known_by_what_it_loads_in_a_list():
    """The package graphicx defines \\includegraphics by loading graphics, which it names beside keyval."""
    preamble = "\\usepackage{booktabs}\n"
    source = proposed("\\includegraphics{a}", preamble)
    assert source.startswith(f"\\documentclass{{article}}\n{preamble}\\usepackage{{graphicx}}\n")


@pytest.mark.parametrize(
    ("loaded", "repaired"),
    [
        ("[number,sort&compress]{natbib}", "[numbers,sort&compress]{natbib}"),
        ("[roud]{natbib}", "[round]{natbib}"),
        ("[compact]{booktabs}", "{booktabs}"),
    ],
)
def test_an_unknown_option_is_the_one_it_misspells_or_none(loaded, repaired):
    source = proposed("A.", f"\\usepackage{loaded}\n")
    assert source.startswith(f"\\documentclass{{article}}\n\\usepackage{repaired}\n")


@pytest.mark.parametrize("loaded", ["[noned]{algpseudocode}", "[fianl]{graphicx}"])
def test_an_option_alone_that_may_have_come_by_mistake_is_left_to_a_person(loaded):
    assert isinstance(proposed("A.", f"\\usepackage{loaded}\n"), GiveUp)


LIST = "\\begin{{itemize}}\n  \\item a{end}\n\\end{{itemize}}\n  \\item b.\nText."


def test_an_item_behind_its_list_goes_into_it_where_the_list_goes_on():
    inside = "\\begin{itemize}\n  \\item a;\n  \\item b.\n\\end{itemize}\nText."
    assert proposed(LIST.format(end=";")) == inside
    assert isinstance(proposed(LIST.format(end=".")), GiveUp)
