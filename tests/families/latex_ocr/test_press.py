"""The reward that prints: same pixels are paid, hostile LaTeX is input like any other and hurts nobody beside it."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from lattice_env.errors import EpisodeError
from lattice_env.families.latex_ocr import judge as judging
from lattice_env.families.latex_ocr import press
from lattice_env.families.latex_ocr.judge import judge
from lattice_env.families.latex_ocr.press import Press, is_printable
from lattice_env.families.latex_ocr.settings import Settings
from lattice_env.verifier.verdict import InfraError

RENDER = Settings(reward="render")
TARGET = r"\frac{a+b}{c} = x_{i}^{2}"

HOSTILE = {
    "a loop": r"\def\a{\a}\a",
    "a loop by name": r"\csname def\endcsname\a{\a}\a",
    "a loop in LaTeX": r"\newcommand{\a}{\a\a}\a",
    "a loop by let": r"\let\a\b",
    "a loop by expansion": r"\expandafter\a",
    "a character by number": r"^^5cdef",
    "a file read": r"\input{/etc/passwd}",
    "a file written": r"\immediate\write18{id}",
    "the end of the document": r"x$\end{preview}\end{document}",
    "a page more": r"x$\end{preview}\begin{preview}$y",
    "a display's end": r"x\] y \[",
    "a comment": "x % y",
    "a group that is not closed": "{x",
    "a group that is closed twice": "x}{y",
    "the next page's definition": r"\gdef\frac{}",
    "a setting for good": r"\global\hsize",
    "a foreign environment": r"\begin{document}x\end{document}",
    "environments crossed": r"\begin{cases}\begin{matrix}\end{cases}\end{matrix}",
    "an environment of a made name": r"\begin {pre{}view} x",
    "an at sign": r"\@@end",
    "a condition": r"\ifnum 1=1 x \fi",
    "the engine's own": r"\pdfximage{x}",
    "NUL": "x\0",
    "depth": "{" * 5000 + "}" * 5000,
    "length": "x" * 100_000,
}
HONEST = (
    TARGET,
    r"a \iff b",
    r"\begin{pmatrix} a & b \\ c & d \end{pmatrix}",
    r"\text{if $x > 0$}",
    r"50\% \{x\}",
    r"\left( x \right)",
)


@pytest.mark.parametrize("latex", HOSTILE.values(), ids=HOSTILE)
def test_hostile_latex_never_reaches_tex(latex, monkeypatch):
    monkeypatch.setattr(press, "print_pages", lambda _formulas: pytest.fail("it was printed"))
    assert not is_printable(latex)
    assert Press().pages([latex]) == [""]


@pytest.mark.parametrize("latex", HONEST)
def test_twin_an_honest_formula_is_printed(latex):
    assert is_printable(latex)


@pytest.mark.tex
def test_the_same_pixels_are_paid_and_others_are_not():
    answers = {r"{a+b \over c} = x_i^2": 1, f"$${TARGET}$$": 1, rf"\[{TARGET}\]": 1, r"\frac{a+b}{c} = x_{j}^{2}": 0}
    answers |= {r"\frac{a+b}{c} = x_{i}^{2}.": 0, "": 0, r"\undefinedcommand": 0, r"\frac{a+b}{c": 0}
    judging.PRESS.pages([press_input.strip("$") for press_input in answers])
    assert {answer: judge(answer, TARGET, RENDER).reward for answer in answers} == answers


@pytest.mark.tex
@pytest.mark.parametrize(
    ("cheat", "twin"),
    [
        (r"\rlap{$\mathstrut$}\frac{a+b}{c} = x_{i}^{2}", r"{}\frac{a+b}{c} = x_{i}^{2}"),
        (r"\smash{}\kern0pt" + TARGET, r"\frac{a + b}{c} = x _{i} ^{2}"),
        ("{}" * 6 + TARGET, "{}" * 2 + TARGET),
        (r"\relax" * 6 + TARGET, r"\relax" + TARGET),
        (TARGET + " " * 400, TARGET + " " * 30),
        (TARGET + r"\phantom{}", r"{a+b \over c} = x_i^2"),
        (r"\def\a{x}\frac{a+b}{c} = \a_{i}^{2}", r"\frac{a+b}{c} = {x}_{i}^{2}"),
    ],
)
def test_what_prints_the_pixels_by_other_means_is_not_paid_and_its_twin_is(cheat, twin):
    assert judge(cheat, TARGET, RENDER).reward == 0
    assert judge(twin, TARGET, RENDER).reward == 1


@pytest.mark.tex
def test_what_the_target_has_too_an_answer_may_have():
    target = r"\phantom{-}0 & -1".replace("&", r"\quad")
    assert judge(target.replace(r"\quad", r"{\quad}"), target, RENDER).reward == 1


@pytest.mark.tex
def test_a_formula_that_tex_refuses_costs_its_neighbours_nothing():
    """TeX is let near what no list knows of: an undefined command, a missing brace of an argument, a huge box."""
    bad = [r"\nosuchcommand", r"\frac", r"\left( x", r"x_{1}_{2}", r"\begin{array}{c} \end{array} & x"]
    found = Press().pages([bad[0], "a+b", bad[1], "c+d", *bad[2:], "a + b"])
    assert all([found[1], found[3]])
    assert found[-1] == found[1] != found[3]
    assert [found[0], found[2], *found[4:7]] == [""] * 5


def test_a_target_that_does_not_print_is_paid_by_its_characters(monkeypatch):
    monkeypatch.setattr(press, "print_pages", lambda formulas: [None] * len(formulas))
    monkeypatch.setattr(judging, "PRESS", Press())
    told = judge("x", r"x \nosuch", RENDER)
    assert (told.paid_by, told.printed, told.reward) == ("characters", "target-unprinted", told.characters.reward)


# --- batches, bounds, the cache ------------------------------------------------------------------


@pytest.fixture
def printed(monkeypatch):
    """What was printed, a batch an entry; each page is its formula."""
    batches = []

    def print_pages(formulas):
        batches.append([formula.latex for formula in formulas])
        time.sleep(0.05)
        return [formula.latex.encode() for formula in formulas]

    monkeypatch.setattr(press, "print_pages", print_pages)
    return batches


def test_sessions_that_ask_together_share_a_document(printed):
    one = Press()
    with ThreadPoolExecutor(16) as pool:
        pages = list(pool.map(lambda number: one.pages([f"x_{number}", "y"]), range(16)))
    assert len({page[0] for page in pages}) == 16
    assert len({page[1] for page in pages}) == 1
    assert len(printed) < 16
    assert sum(map(len, printed)) == 17


def test_a_formula_is_printed_once_and_the_oldest_is_forgotten(printed, monkeypatch):
    monkeypatch.setattr(press, "MOST_KEPT", 2)
    one = Press()
    for latex in ("a", "a", "b", "a", "c", "a", "b"):
        one.pages([latex])
    assert printed == [["a"], ["b"], ["c"], ["b"]]


def test_too_many_that_wait_are_told_so_and_the_episode_stays_open(printed, monkeypatch):
    from lattice_env.families.latex_ocr.episode import Session

    from .test_episode import source_of

    monkeypatch.setattr(press, "MOST_WAITING", 1)
    monkeypatch.setattr(judging, "PRESS", Press())
    session = Session(source_of("x"), RENDER)
    session.reset(index=0)
    with pytest.raises(EpisodeError) as refused:
        session.step("y")
    assert refused.value.code == "press-busy"
    assert session.step("x").judgement.reward == 1


def test_a_machine_that_cannot_print_is_no_grade(monkeypatch):
    def broken(_formulas):
        raise InfraError("no TeX")

    monkeypatch.setattr(press, "print_pages", broken)
    monkeypatch.setattr(judging, "PRESS", Press())
    for _ in range(2):
        with pytest.raises(EpisodeError, match="cannot-print: no TeX"):
            judge("x", "y", RENDER)
