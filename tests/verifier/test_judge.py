"""From a submission to a verdict: what is repaired is paid, what is not is a 0 with its reasons."""

import dataclasses

import pytest

from lattice_env.verifier import Spec, Verdict, judge, papers, read_spec, verify
from lattice_env.verifier.intake import Submission
from lattice_env.verifier.spec import Change
from lattice_env.verifier.store import Store
from lattice_env.verifier.verdict import INFRA_ERROR, PASSED, REJECTED, SCORED, SKIPPED


def states(verdict):
    return {gate.name: gate.state for gate in verdict.gates}


def replaced(files, old, new):
    return Submission({**files, "main.tex": files["main.tex"].replace(old.encode(), new.encode())})


def test_the_public_surface_is_small():
    assert all((Spec, Verdict, read_spec, verify))


def test_static_reasons_are_all_named_and_nothing_is_built(spec, shipped):
    store = Store()
    verdict = verify(spec, replaced(shipped, "\\begin{document}", "\\batchmode"), store)
    assert (verdict.status, verdict.reward, store.builds) == (REJECTED, 0.0, 0)
    assert {"root", "vocabulary", "silence"} <= verdict.codes()
    assert {states(verdict)[name] for name in papers.BUILT} == {SKIPPED}


def test_a_bug_of_the_verifier_is_no_grade(spec, shipped):
    broken = dataclasses.replace(spec, initial={})
    verdict = verify(broken, Submission(shipped), Store())
    assert (verdict.status, verdict.reward) == (INFRA_ERROR, None)
    assert "verifier bug" in str(verdict.facts["error"])


def test_a_verdict_says_what_was_judged_and_with_what(spec, shipped):
    facts = verify(spec, Submission(shipped | {"x.sty": b""}), Store()).facts
    assert (facts["task"], facts["family"], facts["familyVersion"]) == ("tiny-1", "build-repair", 1)
    assert facts["verifier"] == judge.verifier_digest()


@pytest.mark.tex
def test_the_repair_is_worth_1(spec, paper, builds):
    verdict = verify(spec, Submission(paper), builds)
    assert (verdict.status, verdict.reward) == (SCORED, 1.0)
    assert set(states(verdict).values()) == {PASSED}


@pytest.mark.tex
def test_the_same_inputs_give_the_same_bytes(spec, paper, builds):
    assert verify(spec, Submission(paper), builds).to_json() == verify(spec, Submission(paper), Store()).to_json()


@pytest.mark.tex
def test_doing_nothing_is_worth_0(spec, shipped, builds):
    verdict = verify(spec, Submission(shipped), builds)
    assert (verdict.status, verdict.reward) == (REJECTED, 0.0)
    assert verdict.codes() == {"structure"}


@pytest.mark.tex
def test_a_reworded_repair_is_worth_a_little_less(spec, paper, builds):
    verdict = verify(spec, replaced(paper, "by hand", "by foot"), builds)
    assert verdict.status == SCORED
    assert verdict.reward == pytest.approx(0.9 * 2 ** (-1 / 4) * 0.5**0.5)


@pytest.mark.tex
def test_planted_products_change_nothing(spec, paper, builds):
    planted = {"main.pdf": b"%PDF", "main.aux": b"\\relax", "main.fdb_latexmk": b"x"}
    assert verify(spec, Submission({**paper, **planted}), builds).reward == 1.0


@pytest.mark.tex
def test_exchanged_references_are_found_by_the_links(spec, paper, builds):
    verdict = verify(spec, replaced(paper, r"Section~\ref{sec:speed}", r"Section~\ref{tab:1}"), builds)
    assert verdict.codes() == {"facts"}


@pytest.mark.tex
def test_an_original_that_does_not_build_is_an_infra_error(spec, paper, builds):
    text = paper["main.tex"].replace(b"by hand", b"by \\nothing hand")
    broken = dataclasses.replace(spec, original={**spec.original, "main.tex": text})
    verdict = verify(broken, Submission(paper), builds)
    assert (verdict.status, verdict.reward) == (INFRA_ERROR, None)
    assert "the original does not build here: tex main.tex:" in str(verdict.facts["error"])


@pytest.mark.tex
def test_an_exchanged_reference_left_as_it_is_is_still_there(make_spec, paper, builds):
    right, wrong = r"Section~\ref{sec:speed}", r"Section~\ref{tab:1}"
    shipped = {**paper, "main.tex": paper["main.tex"].replace(right.encode(), wrong.encode())}
    spec = make_spec(paper, shipped, family="reference-hygiene", names=())
    change = Change("main.tex", 8, right, wrong, wrong)
    spec = dataclasses.replace(spec, fault=dataclasses.replace(spec.fault, changes=(change,)))
    assert verify(spec, replaced(shipped, "by hand", "by foot"), builds).codes() == {"fault"}
    assert verify(spec, Submission(paper), builds).reward == 1.0


@pytest.mark.tex
def test_silence_behind_a_character_code_is_worth_0(spec, paper, builds):
    verdict = verify(spec, replaced(paper, "\\begin{document}", "\\^^62atchmode\n\\begin{document}"), builds)
    assert verdict.reward == 0.0
