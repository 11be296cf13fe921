"""Verdicts with `--fast` and without, compared on all that we have to submit."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from lattice_env.cli import fast_check as command
from lattice_env.cli import main
from lattice_env.families.doc_edit.make import make_task
from lattice_env.families.doc_edit.recipe import Knobs, recipes
from lattice_env.fuzz import both
from lattice_env.packages import write_package
from lattice_env.verifier.judge import verify
from lattice_env.verifier.verdict import INFRA_ERROR, Verdict


@pytest.fixture
def document(tmp_path):
    """The folder of one task of doc-edit, of which nothing is built."""
    task = make_task(next(recipes(Knobs(num_examples=1, seed="both", levels=("note",))))).task
    write_package(task, tmp_path / task.name)
    return tmp_path / task.name


def test_every_self_test_of_a_package_is_judged_both_ways(document):
    found = both.compare(document, "0", 5)
    assert found.cases > 5
    assert (found.workspaces, found.quick, found.differing, found.unjudged) == (0, 0, (), ())
    assert found.paid > 0


class Another:
    """A verdict that no verifier of ours gives."""

    status, reward = "scored", 1.0

    def to_json(self):
        return "another"


def test_verdicts_that_differ_are_named(document, monkeypatch):
    judges = {True: lambda *_: Another(), False: verify}
    monkeypatch.setattr(both, "verify", lambda spec, work, store: judges[store.fast](spec, work, store))
    found = both.compare(document, "0", 0)
    assert len(found.differing) == found.cases
    assert "oracle" in found.differing


def test_what_cannot_be_judged_says_nothing_of_either_way_and_is_named(document, monkeypatch):
    judges = {True: lambda *_: Verdict(INFRA_ERROR, None, facts={"error": "busy"}), False: verify}
    monkeypatch.setattr(both, "verify", lambda spec, work, store: judges[store.fast](spec, work, store))
    found = both.compare(document, "0", 0)
    assert (len(found.unjudged), found.differing) == (found.cases, ())


@pytest.mark.parametrize(("words", "code"), [({}, 0), ({"differing": ("oracle",)}, 1), ({"unjudged": ("nop",)}, 1)])
def test_one_that_differs_or_is_not_judged_fails(document, monkeypatch, capsys, words, code):
    same = both.Comparison(document.name, "audit-and-correct", 12, 0, 3, 0, (), ())

    def compared(folders, *, report, **_):
        report(replace(same, **words))
        return [replace(same, **words)]

    monkeypatch.setattr(command, "compare_all", compared)
    assert main(["fast-check", str(document), "--jobs", "1"]) == code
    shown = capsys.readouterr()
    assert document.name in shown.err
    assert all(f"{kind}: {name}" in shown.err for kind, names in words.items() for name in names)
    assert "audit-and-correct" in shown.out


def test_a_machine_that_is_busy_for_a_moment_is_asked_again(document, monkeypatch):
    asked = []

    def busy(spec, submission, store):
        asked.append(store.fast)
        found = verify(spec, submission, store)
        return found if len(asked) % both.MOST_TRIES == 0 else Verdict(INFRA_ERROR, None, facts={"error": "busy"})

    monkeypatch.setattr(both, "verify", busy)
    found = both.compare(document, "0", 0)
    assert (found.differing, found.unjudged) == ((), ())
    assert len(asked) == 2 * both.MOST_TRIES * found.cases


def test_a_number_that_makes_no_sense_is_an_error_of_usage(document):
    assert main(["fast-check", str(document), "--workspaces", "-1"]) == 2


@pytest.mark.slow
@pytest.mark.tex
def test_papers_and_their_fuzzed_workspaces_have_the_same_verdicts(folders, capsys):
    """All of them: `lattice-env fast-check TASKS --workspaces 100`."""
    assert main(["fast-check", str(folders[0].parent), "--workspaces", "10", "--jobs", "2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found) == len(folders)
    assert all(each["workspaces"] == 20 for each in found)
    assert sum(each["quick"] for each in found) > 0
