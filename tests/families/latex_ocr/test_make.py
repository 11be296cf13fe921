"""Formulas as task packages: the contract of every family, self-tests that hold, and no target in sight."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lattice_env.errors import SeedError
from lattice_env.families.latex_ocr.make import FAMILIES, PrintedFormula, load_formulas, make_task
from lattice_env.packages import read_package, write_package
from lattice_env.packages.leaks import find_leaks
from lattice_env.seeds import load_seeds
from lattice_env.testing import ContractError, check_family
from lattice_env.verifier.selftests import run
from lattice_env.verifier.store import Store
from lattice_env.verifier.transcription import score
from lattice_env.verifier.verdict import SCORED, GateResult, Verdict

FORMULAS = load_formulas()
FAMILY = FAMILIES["latex-ocr"]


@pytest.mark.parametrize("formula", FORMULAS[:3] + FORMULAS[-1:], ids=lambda formula: formula.name)
def test_the_family_keeps_the_contract(formula, tmp_path):
    task = check_family(FAMILY, formula, "contract", tmp_path)
    assert (task.family, task.medium) == ("latex-ocr", "picture")


def test_a_family_that_pays_for_anything_breaks_it(tmp_path):
    def pay(spec, files):
        return Verdict(SCORED, 1.0, (GateResult("import", "passed"),), components={"exact_match": 1.0})

    with pytest.raises(ContractError, match="start must be judged and rejected"):
        check_family(replace(FAMILY, verify=pay), FORMULAS[0], "contract", tmp_path)


def test_the_self_tests_of_the_whole_corpus_hold():
    """Among them half of each formula, padded in eight ways: never worth more than the half alone."""
    failed = []
    for formula in FORMULAS:
        task = make_task(formula)
        failed += [result.explain() for result in run(task.spec, task.start, task.cases, Store()) if not result.held]
    assert failed == []


def test_a_packaged_answer_is_paid_what_the_server_pays():
    task = make_task(FORMULAS[5])
    for answer in (FORMULAS[5].latex.replace("a", "q"), FORMULAS[5].latex[:9], f"${FORMULAS[5].latex}$", "% nothing"):
        verdict = FAMILY.verify(task.spec, {"answer.tex": answer.encode()})
        assert verdict.reward == score(answer, FORMULAS[5].latex).reward


@pytest.mark.parametrize(
    ("data", "gate"),
    [(b"\xff", "answer"), (b"x\0", "answer"), (b"x" * 1_000_001, "answer"), (None, "answer"), (b"x" * 9999, "length")],
    ids=["latin-1", "nul", "too-long", "missing", "overlong"],
)
def test_what_is_no_answer_is_rejected_for_its_reason(data, gate):
    task = make_task(FORMULAS[0])
    verdict = FAMILY.verify(task.spec, {} if data is None else {"answer.tex": data})
    assert (verdict.reward, gate in verdict.codes()) == (0, True)


def test_a_package_shows_the_picture_and_tells_no_target(tmp_path):
    for formula in FORMULAS[:40]:
        task = make_task(formula)
        write_package(task, tmp_path / task.name)
        package = read_package(tmp_path / task.name)
        assert dict(package.workspace) == {"formula.png": formula.picture, "answer.tex": b""}
        assert find_leaks(package) == []


def test_every_built_in_formula_has_a_licence_and_the_papers_their_own():
    licences = {paper.name: paper.licence for paper in load_seeds()}
    assert {formula.licence for formula in FORMULAS} <= {*licences.values(), "Apache-2.0"}
    assert all(formula.redistributable for formula in FORMULAS)


def test_formulas_of_a_folder_are_of_a_licence_that_nobody_stated(tmp_path):
    (tmp_path / "a.png").write_bytes(FORMULAS[0].picture)
    (tmp_path / "labels.jsonl").write_text('{"image": "a.png", "text": "x"}\n', "utf-8")
    (formula,) = load_formulas(str(tmp_path))
    assert (formula.name, formula.redistributable) == ("train-000000", False)


@pytest.mark.parametrize("text", ["", "  ", "x\\u0000", "\\ud800"])
def test_a_text_that_is_none_is_named(tmp_path, text):
    (tmp_path / "a.png").write_bytes(FORMULAS[0].picture)
    (tmp_path / "labels.jsonl").write_text(f'{{"image": "a.png", "text": "{text}"}}\n', "utf-8")
    with pytest.raises(SeedError, match="train-000000"):
        load_formulas(str(tmp_path))


def test_what_a_formula_holds_is_its_category():
    kinds = {r"\begin{cases} x \end{cases}": "block", r"\begin{pmatrix} x": "matrix", r"\frac{a}{b}": "fraction"}
    kinds |= {r"\sum_i x": "large operator", r"\sqrt{x}": "root or fence", "a = b": "row"}
    for latex, kind in kinds.items():
        assert make_task(PrintedFormula("a", latex, b"", "MIT", redistributable=True)).category == kind
