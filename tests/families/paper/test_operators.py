"""Every operator does what its example says, lists its places in order, and can be undone everywhere."""

from __future__ import annotations

import functools
import importlib
import pkgutil
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lattice_env.errors import OperatorError
from lattice_env.families.paper import FAMILIES
from lattice_env.families.paper import operator as module
from lattice_env.families.paper import operators as folder
from lattice_env.families.paper.operator import (
    BUILD_REPAIR,
    REFERENCE_HYGIENE,
    Mutation,
    mutate,
    operators,
    paper_of,
    paper_of_seed,
    undo,
)
from lattice_env.seeds import load_seeds
from lattice_env.verifier.facts import Outcome
from lattice_env.verifier.latex import decode
from lattice_env.verifier.selftests import Replacement, replace

OPERATORS = operators()
WITHOUT_PLACE = frozenset("LAT-CND-FI LAT-COL-DEF LAT-COL-UND LAT-CTR-UND LAT-MTH-SBR TEX-MTH-DSP".split())
"""Operators whose construct no bundled paper has yet; private seeds may."""

each = pytest.mark.parametrize("code", OPERATORS)

PIECES = (
    "\\begin{document} \\end{document} \\begin{figure} \\end{figure} \\begin{table*} \\end{table*} "
    "\\begin{tabular}{lr} \\end{tabular} \\begin{itemize} \\item \\item[x] \\end{itemize} \\begin{equation} "
    "\\end{equation} \\[ \\] \\( \\) $ $$ { } [ ] % \\% \\& & \\\\ _ \\_ ^ ~ # \\ref{a} \\ref{a,b} \\eqref{b} "
    "\\cref{a,c} \\crefrange{a}{b} \\pageref{} \\label{a} \\label{b} \\label{} \\label[x]{c} \\cite{k} "
    "\\citep[see][]{k,l} \\citet{} \\cite{ \\caption[A]{A} \\caption{ \\section{S} \\section*{ "
    "\\usepackage{graphicx} \\usepackage[a,b]{hyperref,amsmath} \\input{x} \\include{y} "
    "\\includegraphics[width=1]{f.pdf} \\includegraphics{ \\newcommand{\\x}[1]{#1} \\def\\y#1{ "
    "\\verb|\\ref{a}| \\verb \\iffalse \\fi \\frac{1}{2} \\frac \\sqrt[3]{x} \\emph{a} \\textbf \\left( "
    "\\right) \\bibliography{r} Figure Table~ 1 \\begin{verbatim} \\end{verbatim} \\begin \\end \\ @book{k, "
    "author={A}, year=1} naïve \r\n \n \n\n \t \x0c \u2028 \x85 \x00"
).split(" ")
SOURCES = st.lists(st.sampled_from([*PIECES, " "]), max_size=40).map("".join)


@functools.cache
def bundled():
    """The papers that can be had here."""
    return [seed for seed in load_seeds() if not seed.unavailable]


@functools.cache
def sites(code, name):
    """Every place of an operator in one bundled paper."""
    seed = next(seed for seed in bundled() if seed.name == name)
    return list(OPERATORS[code].sites(paper_of_seed(seed)))


def edited(texts, mutation):
    return {path: replace(text, (e for e in mutation.edits if e.file == path)) for path, text in texts.items()}


@each
def test_an_operator_makes_of_its_example_what_it_says(code):
    example = OPERATORS[code].example
    first = next(OPERATORS[code].sites(paper_of({example.path: example.before})))
    assert edited({example.path: example.before}, first) == {example.path: example.after}
    assert mutate({example.path: example.before.encode()}, first, code) == {example.path: example.after.encode()}


@each
def test_an_operator_keeps_silent_where_it_must(code):
    example = OPERATORS[code].example
    assert list(OPERATORS[code].sites(paper_of({example.path: example.silent}))) == []


@each
def test_an_operator_is_well_formed(code):
    operator = OPERATORS[code]
    assert re.fullmatch(r"(LAT|TEX)-[A-Z]{3}-[A-Z0-9]{2,3}", code)
    assert operator.family in FAMILIES
    assert operator.tier in range(1, 6)
    assert re.fullmatch(r"C\d+ [a-z][^\n]*", operator.category)
    assert operator.summary.endswith(".")
    assert "\n" not in operator.summary
    assert operator.example.before != operator.example.after
    assert operator.example.silent


@each
def test_a_build_repair_operator_declares_its_first_error_and_a_other_operator_what_differs(code):
    operator = OPERATORS[code]
    if operator.family == BUILD_REPAIR:
        assert operator.diagnostic
        assert not operator.changes
        assert not re.search(operator.diagnostic, "")
    else:
        assert operator.changes
        assert not operator.diagnostic
        assert set(operator.changes) <= Outcome.__dataclass_fields__.keys()
        assert operator.family == REFERENCE_HYGIENE or operator.changes == ("pages",)


def test_every_operator_has_the_name_of_its_file():
    files = sorted(info.name for info in pkgutil.iter_modules(folder.__path__))
    codes = [importlib.import_module(f"{folder.__name__}.{name}").OPERATOR.code for name in files]
    assert [code.lower().replace("-", "_") for code in codes] == files
    assert list(OPERATORS) == sorted(codes)


def test_two_operators_with_one_code_are_an_error(monkeypatch):
    twice = next(iter(OPERATORS.values()))
    monkeypatch.setattr(module, "collect", lambda *_: iter([twice, twice]))
    with pytest.raises(OperatorError, match=twice.code):
        module.operators.__wrapped__()


@each
def test_the_places_of_an_operator_are_ordered_and_no_two_are_the_same(code):
    for seed in bundled():
        order = {path: index for index, path in enumerate(seed.editable)}
        found = sites(code, seed.name)
        files = [order[site.edits[0].file] for site in found]
        assert files == sorted(files), seed.name
        assert len({frozenset(site.edits) for site in found}) == len(found), seed.name


@each
def test_an_operator_lists_the_same_places_every_time(code):
    for seed in bundled()[:3]:
        assert list(OPERATORS[code].sites(paper_of_seed(seed))) == sites(code, seed.name)


@each
def test_every_place_of_an_operator_can_be_undone(code):
    for seed in bundled():
        texts = {path: decode(seed.files[path]) for path in seed.editable}
        for site in sites(code, seed.name):
            broken = edited(texts, site)
            repair = Mutation(undo(site, texts), site.names)
            assert broken != texts, (seed.name, site)
            assert edited(broken, repair) == texts, (seed.name, site)


@each
def test_an_operator_finds_a_place_in_a_bundled_paper(code):
    assert any(sites(code, seed.name) for seed in bundled()) == (code not in WITHOUT_PLACE)


@each
def test_a_name_that_an_operator_breaks_stands_in_the_broken_paper(code):
    for seed in bundled():
        texts = {path: decode(seed.files[path]) for path in seed.editable}
        for site in sites(code, seed.name)[:40]:
            broken = "\n".join(edited(texts, site).values())
            assert all(name in broken for name in site.names), (seed.name, site)


@each
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(main=SOURCES, part=SOURCES, bib=SOURCES)
def test_an_operator_raises_on_no_text_and_its_edits_can_be_undone(code, main, part, bib):
    texts = {"main.tex": main, "part.tex": part, "refs.bib": bib}
    files = {path: text.encode() for path, text in texts.items()}
    for site in OPERATORS[code].sites(paper_of(texts)):
        broken = {path: data.decode() for path, data in mutate(files, site, code).items()}
        assert edited(broken, Mutation(undo(site, texts))) == texts


@pytest.mark.parametrize(
    "edits",
    [
        (Replacement("a.tex", 0, 2, "x"), Replacement("a.tex", 1, 3, "y")),
        (Replacement("a.tex", 2, 9, "x"),),
        (Replacement("a.tex", -1, 1, "x"),),
    ],
)
def test_edits_that_overlap_or_leave_the_file_are_an_error_of_the_operator(edits):
    with pytest.raises(OperatorError, match=r"X-Y: edits of a\.tex"):
        mutate({"a.tex": b"abcd"}, Mutation(edits), "X-Y")


def test_an_edit_that_changes_nothing_is_an_error_of_the_operator():
    with pytest.raises(OperatorError, match="X-Y: an edit that changes nothing"):
        mutate({"a.tex": b"abcd"}, Mutation((Replacement("a.tex", 0, 1, "a"),)), "X-Y")
